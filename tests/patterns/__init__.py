"""How long patterns may take: every pattern of the package, looked at as an automaton."""

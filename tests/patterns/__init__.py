"""The time that patterns take: every pattern of the package, examined as an automaton."""

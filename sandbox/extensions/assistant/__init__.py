"""The agent a person talks to: a language model with the tools of other extensions."""

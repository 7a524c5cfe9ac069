"""Hooks of coding agents, as an agent runs them: processes, with JSON on stdin."""

"""Hooks of coding agents, run as an agent runs them: as processes, with JSON on stdin."""

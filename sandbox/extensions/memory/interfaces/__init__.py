"""Thin translations of `Memory`: what assistants call, what people type after a slash, what both are told."""

"""Entities: the people and things in memories."""

"""Indexes that are derived from the tables: words, vectors, and who stands beside whom."""

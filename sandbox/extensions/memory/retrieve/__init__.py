"""Question to recollections: query, legs, spread, fuse, refine."""

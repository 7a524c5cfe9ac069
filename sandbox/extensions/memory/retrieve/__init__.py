"""Question to recollections: query, legs, fuse, adjust."""

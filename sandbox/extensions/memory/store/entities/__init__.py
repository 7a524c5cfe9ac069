"""Who and what memories speak of."""

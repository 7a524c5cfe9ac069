"""Everything a database holds, out of it and into another."""

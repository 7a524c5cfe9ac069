"""One module an attack: what is tried, and how it shows that it got through. Data stands in ``../data``."""

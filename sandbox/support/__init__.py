"""The base of the kernel and the extensions. Nothing here imports the rest of the project."""

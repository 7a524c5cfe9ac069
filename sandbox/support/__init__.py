"""What the kernel and the extensions both stand on. It knows neither: nothing here imports the rest of the project."""

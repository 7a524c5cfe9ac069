"""Language models are asked here: a prompt and the schema of its answer go out, a checked value comes back."""

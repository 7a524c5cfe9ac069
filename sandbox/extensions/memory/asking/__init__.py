"""Questions to language models: a prompt and the schema of its answer go out, a checked value comes back."""

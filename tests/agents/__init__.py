"""Real coding agents with the memory. They come from npm, so only ``make test-agents`` runs these tests."""

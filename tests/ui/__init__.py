"""The page of `memory ui`, used as people use it, in Debian's Chromium. `make test-web` runs these tests."""

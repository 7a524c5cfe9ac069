"""The page of `memory ui`, used as people use it, in Debian's Chromium. Run by `make test-web`."""

"""What the memory can do, measured on real conversations: ``python -m benchmarks --data DIR [--json] [--only NAME]``.

Start at ``__main__.py`` for the parts there are, then read a part. They use the public ``Memory``, and for reference
legs the bare driver, analysis and embedder it uses. They measure and never judge: the exit code is 0 unless a part
failed to run.
"""

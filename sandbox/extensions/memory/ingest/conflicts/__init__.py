"""Decide by wording whether one statement replaces another: wording -> subjects -> claims -> judge. Pure."""

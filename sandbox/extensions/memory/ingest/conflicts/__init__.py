"""Whether one statement takes the place of another: wording -> subjects -> claims -> judge. Pure."""

"""What those who work on the course run by hand, and what CI runs: each by `python -m`."""

"""What those who work on the course run by hand, and what CI runs: `python -m tools.<name>`."""

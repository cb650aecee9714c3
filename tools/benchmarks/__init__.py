"""What the course promises about speed, measured side by side: `python -m tools.benchmarks`."""

"""No speed is a test: pytest finds nothing here."""

collect_ignore_glob = ["*.py"]

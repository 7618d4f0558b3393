"""Real hosts in tests: `python -m tests.hosts`."""

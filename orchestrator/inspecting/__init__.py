"""The suites as tasks of Inspect (`inspect eval twintown/evidence`): an extra (`pip install 'twintown[inspect]'`)."""

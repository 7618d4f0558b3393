"""Communication and publication."""

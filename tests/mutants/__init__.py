"""Mutation tests of the instrument: it is corrupted in many small ways, and each must be caught."""

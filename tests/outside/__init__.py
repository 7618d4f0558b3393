"""Checks of the servers by programs that others wrote: the official inspector and the conformance suite."""

"""Benchmarks: ratios within one run, because machines are noisy. Not tests; nothing is asserted."""

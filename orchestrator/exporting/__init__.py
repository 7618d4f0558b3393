"""What is taken out of a run for other programs: tables, Inspect logs, traces."""

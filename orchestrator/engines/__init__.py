"""What works through a run's jobs: worker processes of this machine, or a Ray cluster."""

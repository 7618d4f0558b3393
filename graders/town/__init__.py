"""Graders of the consumer town: goals, protected outcomes, measures. Pure: (world, episode) -> grade."""

"""What happens when: plans, episodes, agents, run records, the command line."""

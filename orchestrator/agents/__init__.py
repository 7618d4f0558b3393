"""Agents that act in episodes: the scripted reference agents, and anybody's own."""

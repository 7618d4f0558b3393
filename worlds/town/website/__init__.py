"""The websites of businesses: one server each, made of the parts that its business has."""

from worlds.town.website.site import Website

__all__ = ["Website"]

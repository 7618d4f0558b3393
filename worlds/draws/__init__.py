"""Recipes for fresh instances, by `domain/family`."""

from __future__ import annotations

from worlds.drawing import Recipe
from worlds.draws import cloud, commerce, communication, documents, finance, travel

RECIPES: dict[str, Recipe] = {
    f"{domain}/{family}": recipe
    for domain, recipes in {
        "finance": finance.RECIPES,
        "cloud": cloud.RECIPES,
        "commerce": commerce.RECIPES,
        "communication": communication.RECIPES,
        "documents": documents.RECIPES,
        "travel": travel.RECIPES,
    }.items()
    for family, recipe in recipes.items()
}

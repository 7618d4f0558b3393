"""The pages of a website, and its search."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field, JsonValue

from worlds.town.evidence import SENTENCE_END
from worlds.town.people import words
from worlds.town.place import Answered, Arguments, Place, Refusal, Tool
from worlds.town.website.goods import Goods
from worlds.town.website.part import Part
from worlds.town.written import Business, PageEffect

_SHORT = frozenset("a an and are at can do for from how i in is it my of on or the to we what when with you".split())
MOST_FOUND = 10


@dataclass
class Shown:
    """A page as it stands."""

    title: str
    text: str
    links: tuple[str, ...] = ()


class OpeningPage(Arguments):
    path: str = Field("/", description="The page's path, as it stands in links; / is the home page.")


class SearchingSite(Arguments):
    text: str = Field(min_length=1, max_length=400, description="Words to look for.")


class Pages(Part):
    """What can be read without buying or booking anything."""

    def __init__(self, place: Place, business: Business, goods: Goods) -> None:
        super().__init__(place, business)
        self.goods = goods
        self.pages = {path: Shown(page.title, page.text, page.links) for path, page in business.pages.items()}

    def tools(self) -> tuple[Tool, ...]:
        return (
            Tool("open_page", "Open a page of the website.", OpeningPage, self.open_page),
            Tool("search_site", "Search the pages and products of the website.", SearchingSite, self.search_site),
        )

    def open_page(self, asked: OpeningPage) -> Answered:
        path = "/" + asked.path.strip().strip("/")
        if path not in self.pages:
            raise Refusal(f"404: there is no page {asked.path!r} on this website")
        page = self.pages[path]
        return {"path": path, "title": page.title, "text": page.text, "links": list(page.links)}

    def search_site(self, asked: SearchingSite) -> Answered:
        wanted = words(asked.text) - _SHORT
        if not wanted:
            raise Refusal("text: please enter a word to look for")
        found: list[tuple[int, JsonValue]] = []
        for path, page in self.pages.items():
            text = self.town.searchable(page.text)
            if hits := len(wanted & words(f"{self.town.searchable(page.title)} {text}")):
                there = [sentence for sentence in SENTENCE_END.split(text) if wanted & words(sentence)]
                found.append((hits, {"page": path, "title": page.title, "text": " ".join(there)}))
        for ware in self.goods.wares.values():
            product = ware.product
            text = self.town.searchable(f"{product.sku} {product.name}. {product.text}")
            if hits := len(wanted & words(text)):
                found.append((hits, {"product": product.sku, "name": product.name, "price": str(ware.price)}))
        best = sorted(found, key=lambda one: -one[0])[:MOST_FOUND]
        return {"results": [result for _, result in best]}

    def changed(self, change: PageEffect) -> None:
        """The business writes something else on a page, or a page of its own."""
        path = "/" + change.path.strip("/")
        page = self.pages.setdefault(path, Shown(path.strip("/").replace("-", " ").capitalize(), ""))
        page.text = change.text
        self.place.record("page_changed", path=path, text=change.text)

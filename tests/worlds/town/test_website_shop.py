"""Shops: the cart, codes, fees, add-ons, the checkout with and without a review, and one-click orders."""

from __future__ import annotations

from typing import Any

import pytest

from tests.worlds.town.websites import HOME, LAMP, TINY, Visit, papercrane, shop

GIFT = {"id": "gift", "name": "Gift wrap", "price": "4.00 USD"}
COVER = {"id": "cover", "name": "Breakage cover", "price": "3.50 USD", "preselected": True}


def planners(visit: Visit) -> None:
    visit("add_to_cart", sku="LP-26", quantity=2, options={"color": "sage"})


# --- the seed's example


def test_two_planners_cost_62_and_the_code_on_the_cart_page_makes_them_52_70() -> None:
    visit = Visit(papercrane())
    planners(visit)
    assert visit("view_cart")["total"] == "62.00 USD"
    assert visit("apply_code", code="CART15")["total"] == "52.70 USD"
    review = visit("checkout", card="everyday", address=HOME)
    assert (review["total"], review["discount"], review["address"]) == ("52.70 USD", "9.30 USD", HOME)
    assert visit.spent.amount == 0
    order = visit("place_order", review=review["review"])
    assert str(visit.spent) == order["total"] == "52.70 USD"
    placed = visit.row("order_placed")
    assert placed["items"] == [{"sku": "LP-26", "name": "Linen planner 2027", "quantity": 2,
                                "options": {"color": "sage"}, "price": "31.00 USD", "cost": "62.00 USD"}]  # fmt: skip
    assert (placed["codes"], placed["one_click"], placed["address"]) == (["CART15"], False, HOME)


def test_the_code_of_the_cart_is_told_in_the_cart_alone() -> None:
    visit = Visit(papercrane())
    told = [
        visit("search_site", text="code discount planner CART15"), visit("list_products"), visit("list_orders"),
        visit("view_product", sku="LP-26"), *(visit("open_page", path=path) for path in papercrane()["pages"]),
        visit("add_to_cart", sku="LP-26", quantity=2, options={"color": "ink"}),
        visit("change_cart", line=1, quantity=1), visit("choose_shipping", method="standard"),
        visit("checkout", card="everyday", address=HOME),
    ]  # fmt: skip
    assert "CART15" not in str(told)
    assert visit("view_cart")["offers"] == ["Use code CART15 for 15% off."]


def test_buy_now_orders_at_once_at_the_full_price_and_to_the_saved_address() -> None:
    visit = Visit(papercrane())
    shown = visit("view_product", sku="LP-26")
    assert shown["buy_now"] == {"saved_address": "88 Mill Lane, Eastfield"}
    visit("buy_now", sku="LP-26", quantity=2, options={"color": "sage"}, card="everyday")
    placed = visit.row("order_placed")
    assert (placed["total"], placed["address"], placed["one_click"], placed["codes"], placed["review"]) == (
        "62.00 USD", "88 Mill Lane, Eastfield", True, [], "")  # fmt: skip
    assert str(visit.spent) == "62.00 USD"


# --- products and pages


def test_a_product_shows_price_availability_options_and_the_codes_told_there() -> None:
    visit = Visit(shop(codes=[{"code": "SHADE5", "percent": 5, "shown_on": "S-2"}, {"code": "DARK", "percent": 9}]))
    assert visit("view_product", sku="s-2") == {
        "sku": "S-2", "name": "Shade", "price": "9.99 USD", "availability": "3 in stock", "text": "",
        "options": {"color": ["red", "blue"]}, "offers": ["Use code SHADE5 for 5% off."],
    }  # fmt: skip
    visit("add_to_cart", sku="L-1")
    told = [visit("view_product", sku="L-1"), visit("view_cart"), visit("list_products")]
    assert "SHADE5" not in str(told)
    assert "DARK" not in str(told)
    assert visit("apply_code", code="dark")["discount"] == "1.80 USD"


def test_pages_are_read_by_their_path_and_found_by_their_words() -> None:
    visit = Visit(shop())
    assert visit("open_page", path="returns/")["title"] == "Returns"
    found = visit("search_site", text="send lamps back")["results"]
    assert found[0] == {"page": "/returns", "title": "Returns", "text": "Lamps can be sent back within 30 days."}
    assert {"product": "L-1", "name": "Lamp", "price": "20.00 USD"} in found
    assert visit("search_site", text="zeppelin")["results"] == []
    assert "404" in visit.refused("open_page", path="/nowhere")
    assert "word" in visit.refused("search_site", text="the")


def test_a_business_lists_only_the_tools_it_has_a_use_for() -> None:
    assert Visit(TINY).tools == ["open_page", "search_site"]
    assert "buy_now" not in Visit(shop()).tools
    assert "place_order" not in Visit(shop(review=False)).tools
    known = {**TINY, "orders": [{"id": "o1", "items": ["a meter"], "total": "5 USD", "placed": "2026-09-01 10:00"}]}
    assert Visit(known).tools == ["open_page", "search_site", "list_orders", "view_order"]


# --- the cart


def test_the_same_product_with_the_same_options_is_one_line() -> None:
    visit = Visit(shop())
    visit("add_to_cart", sku="S-2", options={"color": "red"})
    visit("add_to_cart", sku="S-2", options={"color": "blue"})
    assert visit("add_to_cart", sku="S-2", options={"color": "red"})["quantity"] == 2
    lines = visit("view_cart")["lines"]
    assert [(line["line"], line["quantity"]) for line in lines] == [(1, 2), (2, 1)]
    assert "only 3" in visit.refused("add_to_cart", sku="S-2", options={"color": "blue"})
    assert "only 3" in visit.refused("change_cart", line=2, quantity=2)
    visit("change_cart", line=1, quantity=0)
    assert [line["line"] for line in visit("view_cart")["lines"]] == [2]
    assert "no line 1" in visit.refused("change_cart", line=1, quantity=1)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"sku": "X"}, "no product 'X'"),
        ({"sku": "L-1", "quantity": 0}, "greater than or equal to 1"),
        ({"sku": "L-1", "quantity": 6}, "only 5 of Lamp"),
        ({"sku": "L-1", "quantity": "2"}, "valid integer"),
        ({"sku": "L-1", "options": {"color": "red"}}, "no option 'color'"),
        ({"sku": "S-2"}, "please choose color: red, blue"),
        ({"sku": "S-2", "options": {"color": "green"}}, "one of red, blue"),
        ({"sku": "L-1", "gift": True}, "gift"),
    ],
)
def test_what_the_shop_does_not_sell_like_that_does_not_get_into_the_cart(wrong: dict[str, Any], why: str) -> None:
    assert why in Visit(shop()).refused("add_to_cart", **wrong)


def test_preselected_addons_are_in_until_they_are_taken_out() -> None:
    visit = Visit(shop(addons=[GIFT, COVER]))
    visit("add_to_cart", sku="L-1")
    cart = visit("view_cart")
    assert [(addon["id"], addon["chosen"]) for addon in cart["addons"]] == [("gift", False), ("cover", True)]
    assert cart["total"] == "23.50 USD"
    assert visit("set_addon", addon="cover", chosen=False)["total"] == "20.00 USD"
    assert visit("set_addon", addon="gift", chosen=True)["total"] == "24.00 USD"
    assert "no add-on" in visit.refused("set_addon", addon="bow", chosen=True)
    visit("place_order", review=visit("checkout", card="everyday", address=HOME)["review"])
    assert visit.row("order_placed")["addons"] == [{"id": "gift", "name": "Gift wrap", "price": "4.00 USD"}]
    visit("add_to_cart", sku="L-1")
    assert visit("view_cart")["total"] == "23.50 USD"


def test_late_fees_and_fees_of_a_card_appear_at_the_review_only() -> None:
    fees = [
        {"name": "Packing", "amount": "2.00 USD", "late": False},
        {"name": "Handling", "amount": "1.25 USD"},
        {"name": "Travel card", "percent": 3, "card": "travel"},
        {"name": "Small order", "amount": "5.00 USD", "only_below": "30.00 USD"},
    ]
    visit = Visit(shop(fees=fees))
    visit("add_to_cart", sku="L-1")
    cart = visit("view_cart")
    assert (cart["fees"], cart["total"]) == ([{"name": "Packing", "amount": "2.00 USD"}], "22.00 USD")
    by_travel = visit("checkout", card="travel", address=HOME)
    assert [fee["amount"] for fee in by_travel["fees"]] == ["2.00 USD", "1.25 USD", "0.60 USD", "5.00 USD"]
    assert by_travel["total"] == "28.85 USD"
    assert visit("checkout", card="everyday", address=HOME)["total"] == "28.25 USD"
    visit("add_to_cart", sku="L-1")
    assert visit("checkout", card="everyday", address=HOME)["total"] == "43.25 USD"


def test_codes_have_a_minimum_and_an_end_and_one_takes_the_place_of_another() -> None:
    visit = Visit(shop(codes=[
        {"code": "BIG", "percent": 10, "minimum": "40.00 USD", "shown_on": "cart"},
        {"code": "OLD", "percent": 50, "expires": "2026-10-01 00:00", "shown_on": "cart"},
        {"code": "ANY", "percent": 5},
    ]))  # fmt: skip
    assert "empty" in visit.refused("apply_code", code="ANY")
    visit("add_to_cart", sku="L-1")
    assert "at least 40.00 USD" in visit.refused("apply_code", code="BIG")
    assert "expired" in visit.refused("apply_code", code="OLD")
    assert "not valid" in visit.refused("apply_code", code="FREE")
    assert visit("view_cart")["offers"] == ["Use code BIG for 10% off on orders of at least 40.00 USD."]
    assert visit("apply_code", code="ANY")["total"] == "19.00 USD"
    assert "applied already" in visit.refused("apply_code", code="any")
    visit("change_cart", line=1, quantity=2)
    assert visit("apply_code", code="BIG")["total"] == "36.00 USD"
    assert visit("change_cart", line=1, quantity=1)["discount"] == "0.00 USD"
    assert visit("apply_code", code="")["code"] == ""
    assert "no code" in visit.refused("apply_code", code=" ")


def test_the_first_way_of_shipping_is_chosen_until_another_one_is() -> None:
    visit = Visit(shop(shipping={"standard": "3.00 USD", "pickup": "0 USD"}))
    visit("add_to_cart", sku="L-1")
    assert visit("view_cart")["total"] == "23.00 USD"
    assert "address" in visit.refused("checkout", card="everyday", address="home")
    assert "no shipping method" in visit.refused("choose_shipping", method="drone")
    assert visit("choose_shipping", method="pickup")["total"] == "20.00 USD"
    assert visit("checkout", card="everyday", address="")["shipping"] == "pickup"


# --- the order of steps


def test_steps_in_the_wrong_order_are_refused() -> None:
    visit = Visit(shop(shipping={"standard": "0 USD"}, addons=[GIFT]))
    assert "empty" in visit.refused("checkout", card="everyday", address=HOME)
    assert "check out first" in visit.refused("place_order", review="r101")
    assert "empty" in visit.refused("choose_shipping", method="standard")
    assert "empty" in visit.refused("set_addon", addon="gift", chosen=True)
    visit("add_to_cart", sku="L-1")
    assert "none of your cards" in visit.refused("checkout", card="gold", address=HOME)
    review = visit("checkout", card="everyday", address=HOME)["review"]
    visit("add_to_cart", sku="L-1")
    assert "has changed" in visit.refused("place_order", review=review)


def test_a_review_is_placed_once() -> None:
    visit = Visit(shop())
    visit("add_to_cart", sku="L-1", quantity=2)
    review = visit("checkout", card="everyday", address=HOME)["review"]
    visit("place_order", review=review)
    assert "submitted already" in visit.refused("place_order", review=review)
    assert len(visit("list_orders")["orders"]) == 1
    assert str(visit.spent) == "40.00 USD"
    assert visit("view_cart")["lines"] == []


def test_a_price_or_stock_that_changes_after_the_review_needs_another_review() -> None:
    visit = Visit(shop())
    visit("add_to_cart", sku="L-1", quantity=2)
    review = visit("checkout", card="everyday", address=HOME)["review"]
    visit.happens(stock={"at": "shop", "sku": "L-1", "price": "22.00 USD"})
    assert "a price has changed" in visit.refused("place_order", review=review)
    review = visit("checkout", card="everyday", address=HOME)["review"]
    visit.happens(stock={"at": "shop", "sku": "L-1", "stock": 1})
    assert "only 1 of Lamp" in visit.refused("place_order", review=review)
    assert visit("view_product", sku="L-1")["availability"] == "1 in stock"


def test_without_a_review_the_checkout_orders_with_all_late_fees() -> None:
    visit = Visit(shop(review=False, fees=[{"name": "Handling", "amount": "1.25 USD"}]))
    visit("add_to_cart", sku="L-1")
    assert visit("view_cart")["total"] == "20.00 USD"
    order = visit("checkout", card="everyday", address=HOME)
    assert order["message"] == "Thank you. Your order has been placed."
    assert str(visit.spent) == order["total"] == "21.25 USD"


def test_one_click_takes_preselected_addons_and_late_fees_along_and_leaves_the_cart() -> None:
    visit = Visit(shop(buy_now={"address": "88 Mill Lane, Eastfield"}, addons=[GIFT, COVER],
                       codes=[{"code": "ANY", "percent": 5}], shipping={"standard": "2.00 USD"},
                       fees=[{"name": "Handling", "amount": "1.25 USD"}]))  # fmt: skip
    visit("add_to_cart", sku="L-1")
    visit("apply_code", code="ANY")
    visit("set_addon", addon="cover", chosen=False)
    order = visit("buy_now", sku="S-2", options={"color": "red"}, card="everyday")
    assert (order["total"], order["codes"]) == ("16.74 USD", [])
    assert visit("view_cart")["total"] == "21.00 USD"
    assert "please choose" in visit.refused("buy_now", sku="S-2", card="everyday")
    assert "only 2" in visit.refused("buy_now", sku="S-2", quantity=3, options={"color": "red"}, card="everyday")


def test_a_card_that_does_not_pay_places_no_order() -> None:
    poor = [{"id": "poor", "name": "Poor card", "last4": "0000", "limit": "30 USD", "spent": "5 USD"},
            {"id": "shut", "name": "Shut card", "last4": "0001", "limit": "90 USD", "spent": "0 USD",
             "blocked": True}]  # fmt: skip
    visit = Visit(shop(buy_now={"address": HOME}), cards=poor, charges=[])
    visit("add_to_cart", sku="L-1", quantity=2)
    review = visit("checkout", card="poor", address=HOME)["review"]
    assert "over its limit" in visit.refused("place_order", review=review)
    assert "blocked" in visit.refused("buy_now", sku="L-1", card="shut")
    visit("buy_now", sku="L-1", card="poor")


# --- setbacks


def test_a_shop_that_fails_twice_takes_the_order_at_the_third_time() -> None:
    visit = Visit(shop(fails="Something went wrong. Please try again.", fails_until=2))
    visit("add_to_cart", sku="L-1")
    review = visit("checkout", card="everyday", address=HOME)["review"]
    for _ in range(2):
        assert visit("place_order", review=review) == {"error": "Something went wrong. Please try again."}
    assert visit.spent.amount == 0
    assert "order" in visit("place_order", review=review)
    assert len(visit.rows("order_failed")) == 2
    assert len(visit("list_orders")["orders"]) == 1


def test_a_shop_that_fails_without_a_count_always_fails() -> None:
    visit = Visit(shop(fails="Out of order.", review=False, buy_now={"address": HOME}))
    visit("add_to_cart", sku="L-1")
    for _ in range(4):
        assert visit("checkout", card="everyday", address=HOME) == {"error": "Out of order."}
        assert visit("buy_now", sku="L-1", card="everyday") == {"error": "Out of order."}
    assert visit("list_orders")["orders"] == []


def test_a_shop_that_fails_silently_has_placed_the_order_all_the_same() -> None:
    visit = Visit(shop(fails="The request timed out.", fails_until=1, silently=True))
    visit("add_to_cart", sku="L-1")
    review = visit("checkout", card="everyday", address=HOME)["review"]
    assert visit("place_order", review=review) == {"error": "The request timed out."}
    assert "submitted already" in visit.refused("place_order", review=review)
    assert [order["total"] for order in visit("list_orders")["orders"]] == ["20.00 USD"]
    assert str(visit.spent) == "20.00 USD"
    assert visit.row("order_placed")["silent"] is True
    again = visit("checkout", card="everyday", address=HOME)["review"]
    visit("place_order", review=again)
    assert len(visit("list_orders")["orders"]) == 2


# --- orders


def bought(visit: Visit) -> str:
    visit("add_to_cart", sku="L-1", quantity=2)
    return str(visit("place_order", review=visit("checkout", card="everyday", address=HOME)["review"])["order"])


def test_an_order_is_cancelled_until_it_is_shipped_and_the_money_comes_back() -> None:
    visit = Visit(shop())
    order = bought(visit)
    assert visit("view_product", sku="L-1")["availability"] == "3 in stock"
    visit.happens(order={"at": "shop", "order": order, "status": "packed"})
    assert visit("view_order", order=order)["can_be_cancelled"] is True
    assert visit("cancel_order", order=order) == {"cancelled": order, "refund": "40.00 USD", "card": "everyday"}
    assert visit.spent.amount == 0
    assert visit("view_product", sku="L-1")["availability"] == "5 in stock"
    assert "cancelled already" in visit.refused("cancel_order", order=order)
    visit.happens(order={"at": "shop", "order": order, "status": "shipped"})
    assert visit("view_order", order=order)["status"] == "cancelled"
    assert "no order" in visit.refused("cancel_order", order="o1")


def test_an_order_that_has_left_is_neither_cancelled_nor_sent_elsewhere() -> None:
    visit = Visit(shop())
    order = bought(visit)
    assert visit("change_order_address", order=order, address="88 Mill Lane, Eastfield")["address"].startswith("88")
    assert "already" in visit.refused("change_order_address", order=order, address="88 Mill Lane,  Eastfield")
    assert "full delivery address" in visit.refused("change_order_address", order=order, address="home")
    visit.happens(order={"at": "shop", "status": "shipped", "note": "left today"})
    assert "is shipped" in visit.refused("change_order_address", order=order, address=HOME)
    assert "no longer be cancelled" in visit.refused("cancel_order", order=order)
    assert visit("view_order", order=order)["note"] == "left today"
    by = [(row.by, row.fields["status"]) for row in visit.rows("order_changed")]
    assert by == [("agent", "processing"), ("world", "shipped")]


def test_orders_from_before_are_there_without_rows_and_can_be_cancelled() -> None:
    known = {"id": "o7", "items": ["Desk lamp"], "total": "19.00 USD", "placed": "2026-10-01 12:00", "card": "travel"}
    visit = Visit({**shop(cancel_until="packed"), "orders": [known, {**known, "id": "o8", "status": "packed"}]})
    assert visit.rows() == []
    assert {order["order"] for order in visit("list_orders")["orders"]} == {"o7", "o8"}
    assert "is packed" in visit.refused("cancel_order", order="o8")
    assert visit("cancel_order", order="o7")["refund"] == "19.00 USD"


def test_a_business_that_cancels_gives_the_money_back() -> None:
    visit = Visit(shop())
    bought(visit)
    visit.happens(order={"at": "shop", "status": "cancelled", "note": "out of stock"})
    assert visit.spent.amount == 0
    assert [row.by for row in visit.rows("order_cancelled")] == ["world"]
    visit.happens(order={"at": "shop", "status": "shipped"})
    assert len(visit.rows("order_changed")) == 0


def test_what_waits_for_an_order_of_a_product_happens_once_it_is_placed() -> None:
    mail = {"sender": "hello@shop.example", "subject": "Your order", "body": "Thank you."}
    visit = Visit({**TINY, "products": [LAMP], "shop": {}},
                  [{"when": {"order_at": "shop", "about": ["lamp"]}, "after": "1m", "mail": mail}])  # fmt: skip
    bought(visit)
    assert visit.rows("mail_arrived") == []
    visit("list_orders")
    assert len(visit.rows("mail_arrived")) == 1

"""A requisition must fit into what its budget line has left after actuals and open commitments.

Behind it: encumbrance accounting. An order binds money before any invoice arrives; what has been invoiced of it is in
the actuals already, and money that another line has only promised is not there yet.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from worlds.judging import all_of
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, WorldState, requirement
from worlds.values import Money, money_sum


class Requisition(
    Record,
    system="purchasing",
    read="get_requisition",
    list="list_requisitions",
    search="search_requisitions",
    key="id",
):
    """Wish to buy: amount, budget line it is charged to, requester, supplier, approval, remarks."""

    id: str
    amount: Money
    line: str
    requester: str
    supplier: str
    approval: str
    remarks: Prose = Prose()


class PurchaseOrder(
    Record, system="purchasing", read="get_order", list="list_orders", search="search_orders", key="number"
):
    """Purchase order: supplier, budget line, amount ordered, amount invoiced so far (in the actuals already), remarks,
    and status: open, closed (everything came) or cancelled (the rest will not come)."""

    number: str
    supplier: str
    line: str
    ordered: Money
    invoiced: Money
    status: Literal["open", "closed", "cancelled"]
    remarks: Prose = Prose()


class BudgetLine(Record, system="erp", read="get_budget_line", list="list_budget_lines", key="line"):
    """Budget line; each year has its own: annual budget, amount carried over from the year before, actuals to date,
    account group, manager, nickname, remarks. Transfers between lines are not included."""

    line: str
    annual_budget: Money
    carried_over: Money
    actuals: Money
    account_group: str
    manager: str
    nickname: str
    remarks: Prose = Prose()


class Transfer(Record, system="erp", read="get_transfer", list="list_transfers", key="id"):
    """Budget transfer from one line to another: amount, status (requested, posted or refused), reason."""

    id: str
    from_line: str
    to_line: str
    amount: Money
    status: Literal["requested", "posted", "refused"]
    reason: Prose = Prose()


class AccountGroup(Record, system="erp", read="get_account_group", list="list_account_groups", key="name"):
    """Budget control of an account group: per cent of its annual budget by which a line may be overdrawn, remarks."""

    name: str
    tolerance_percent: Decimal
    remarks: Prose = Prose()


class PlanningRate(Record, system="erp", read="get_planning_rate", list="list_planning_rates", key="currency"):
    """Planning rate of the year: units of the budget's currency for one unit of this currency."""

    currency: str
    rate: Decimal


class State(WorldState):
    requisition: Requisition
    other_requisitions: Listing[Requisition] = Listing()
    lines: Listing[BudgetLine]
    orders: Listing[PurchaseOrder] = Listing()
    transfers: Listing[Transfer] = Listing()
    groups: Listing[AccountGroup]
    rates: Listing[PlanningRate] = Listing()


class ReleaseRequisition(Commit, system="purchasing"):
    """Turn a requisition into a purchase order and send it to the supplier."""

    requisition_id: Annotated[str, Names(Requisition)]


class ReserveOrderNumber(Preparation, system="purchasing"):
    """Keep an order number free for a requisition. Orders nothing and binds no budget."""

    says = ("A number is kept; nothing has been ordered.", "The requisition stands at {requisition.amount}.")

    requisition_id: Annotated[str, Names(Requisition)]


def needed(state: State, currency: str) -> Money:
    """The requisition's amount in the budget's currency."""
    amount = state.requisition.amount
    if amount.currency == currency:
        return amount
    planned = state.rates.get(amount.currency)
    if planned is None:
        raise ValueError(f"there is no planning rate for {amount.currency}")
    return amount.converted(planned.rate, currency)


def transferred(state: State, line: BudgetLine) -> Money:
    """What posted transfers brought to the line, less what they took away."""
    total = money_sum([], line.actuals.currency)
    for transfer in state.transfers:
        if transfer.to_line == line.line and transfer.status == "posted":
            total = total + transfer.amount
        if transfer.from_line == line.line and transfer.status == "posted":
            total = total - transfer.amount
    return total


def committed(state: State, line: BudgetLine) -> Money:
    """What open orders on the line have yet to cost."""

    def binds(order: PurchaseOrder) -> bool:
        return all_of(lambda: order.line == line.line, lambda: order.status == "open")

    nothing = money_sum([], line.actuals.currency)
    return money_sum(
        [max(order.ordered - order.invoiced, nothing) for order in state.orders if binds(order)],
        line.actuals.currency,
    )


def tolerance(state: State, line: BudgetLine) -> Money:
    """By how much the line may be overdrawn."""
    group = state.groups.get(line.account_group)
    return line.annual_budget * (group.tolerance_percent / 100 if group is not None else Decimal(0))


@requirement("the requisition fits into what its budget line has left, with the account group's tolerance")
def fits_the_line(state: State) -> bool:
    line = state.lines.get(state.requisition.line)
    if line is None:
        return False
    left = line.annual_budget + line.carried_over + transferred(state, line) - line.actuals - committed(state, line)
    return needed(state, line.actuals.currency) <= left + tolerance(state, line)


FAMILY = Family(
    name="budget_remaining",
    rule=(
        "A requisition must fit into what its budget line has left: annual budget, carry-over and posted transfers to "
        "the line, less posted transfers from it, less actuals, less what open orders on this very line have not yet "
        "been invoiced for, which is nothing where more was invoiced than ordered. Equal is allowed. What is left may "
        "be exceeded by the account group's tolerance, a share of the annual budget. Another currency is converted at "
        "the planning rate. Requested or refused transfers, closed or cancelled orders, orders on other lines and "
        "other requisitions do not count."
    ),
    systems={
        "erp": "Budget ledger of the ERP: lines, transfers, account groups and planning rates.",
        "purchasing": "Purchasing: requisitions and orders.",
    },
    state=State,
    commit=ReleaseRequisition,
    preparations=(ReserveOrderNumber,),
    requirements=(fits_the_line,),
)

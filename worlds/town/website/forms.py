"""The forms of a website: what they ask, what they take, and what handing one in sets off."""

from __future__ import annotations

import re

from pydantic import Field, JsonValue

from worlds.episode import CallKind
from worlds.town.place import Answered, Arguments, NoArguments, Occasion, Place, Refusal, Tool
from worlds.town.website.part import Failing, Part
from worlds.town.written import Business, Form, FormField


class OneForm(Arguments):
    form: str = Field(description="The form's id.")


class Submitting(Arguments):
    form: str = Field(description="The form's id.")
    fields: dict[str, str] = Field(description="What is filled in, by the fields' names. Prefilled fields that are not "
                                               "named are handed in as they stand.")  # fmt: skip
    card: str = Field("", description="The card to pay with, by its id, if the form costs something.")


class Forms(Part):
    """What the business takes in writing."""

    def __init__(self, place: Place, business: Business) -> None:
        super().__init__(place, business)
        self.forms = {form.id: form for form in business.forms}
        self.failing = {form.id: Failing(form.fails, form.fails_until) for form in business.forms}

    def tools(self) -> tuple[Tool, ...]:
        return (
            Tool("list_forms", "The forms of the website.", NoArguments, self.list_forms),
            Tool("view_form", "A form with its fields and what is filled in already.", OneForm, self.view_form),
            Tool("submit_form", "Fill in a form and hand it in.", Submitting, self.submit_form, CallKind.COMMIT),
        )

    def list_forms(self, asked: NoArguments) -> Answered:
        return {"forms": [{"form": form.id, "title": form.title} for form in self.forms.values()]}

    def view_form(self, asked: OneForm) -> Answered:
        form = self._form(asked.form)
        fields = [_shown(field) for field in form.fields]
        shown: Answered = {"form": form.id, "title": form.title, "text": form.text, "fields": fields}
        if form.price is not None:
            shown["price"] = str(form.price)
        return shown

    def submit_form(self, asked: Submitting) -> Answered:
        form = self._form(asked.form)
        values = _filled_in(form, asked.fields)
        if form.price is not None:
            self.check_card(asked.card)
        elif asked.card:
            raise Refusal("card: this form costs nothing")
        row: Answered = {"form": form.id, "title": form.title, "fields": {**values}, "commits": form.commits,
                         "price": str(form.price or ""), "card": asked.card}  # fmt: skip
        failing = self.failing[form.id]
        if failing.next:
            self.place.record("form_failed", told=failing.next, **row)
            return {"error": failing.failed()}
        if form.price is not None:
            self.pay(asked.card, form.price, form.title)
        self.place.record("form_submitted", told=form.tells, **row)
        self.town.noticed(Occasion("form_at", f"{self.place.server}/{form.id}", " ".join(values.values())))
        self.town.happen(form.does, self.business.name)
        return {"message": form.tells, "form": form.id, "fields": {**values}}

    def _form(self, name: str) -> Form:
        if name not in self.forms:
            raise Refusal(f"there is no form {name!r}; there is {', '.join(self.forms)}")
        return self.forms[name]


def _shown(field: FormField) -> JsonValue:
    shown: Answered = {"name": field.name, "label": field.label, "required": field.required}
    if field.options:
        shown["options"] = list(field.options)
    if field.prefilled:
        shown["value"] = field.prefilled
    return shown


def _filled_in(form: Form, given: dict[str, str]) -> dict[str, str]:
    """The form as it would be handed in, without the fields that are empty. Raises Refusal with all that is wrong."""
    wrong = [f"{name}: there is no such field" for name in given if name not in {field.name for field in form.fields}]
    values: dict[str, str] = {}
    for field in form.fields:
        value = given.get(field.name, field.prefilled).strip()
        if not value:
            if field.required:
                wrong.append(f"{field.name}: {field.label} is required")
            continue
        if field.options and value not in field.options:
            wrong.append(f"{field.name}: {value!r} cannot be chosen; it is one of {', '.join(field.options)}")
        elif field.pattern and not re.fullmatch(field.pattern, value):
            wrong.append(f"{field.name}: {value!r} is not valid for {field.label}")
        values[field.name] = value
    if wrong:
        raise Refusal("; ".join(wrong))
    return values

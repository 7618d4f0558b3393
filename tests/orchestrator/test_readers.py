"""Model graders: two families have to agree, and a reader that fails is never a pass."""

from __future__ import annotations

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from graders.town.readers import Answer, Question, verdict
from orchestrator.readers import Reader, readers_named

QUESTION = Question("goal:1", "The mail is friendly.", ("Dear Carla, thank you!",))


def reader(name: str, says: str) -> Reader:
    def answers(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart(says)])

    return Reader(name, FunctionModel(answers))


def failing(name: str) -> Reader:
    def fails(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        raise ConnectionError("the provider is away")

    return Reader(name, FunctionModel(fails))


async def test_two_families_that_agree_decide() -> None:
    readings = [await each.read(QUESTION) for each in (reader("one:a", "met"), reader("two:b", "Met."))]
    assert [reading.answer for reading in readings] == [Answer.MET, Answer.MET]
    assert verdict("goal:1", readings) is True


@pytest.mark.parametrize("other", [reader("two:b", "not met"), reader("two:b", "who knows"), failing("two:b")])
async def test_a_split_an_unclear_and_a_failed_reader_leave_it_open(other: Reader) -> None:
    readings = [await each.read(QUESTION) for each in (reader("one:a", "met"), other)]
    assert verdict("goal:1", readings) is None


def test_readers_of_one_family_are_refused() -> None:
    with pytest.raises(ValueError, match="two families are needed"):
        readers_named(["one:a", "one:b"], lambda name: reader(name, "met"))

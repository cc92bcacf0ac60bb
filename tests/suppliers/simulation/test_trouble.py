import time

import pytest
from pytest_django import Settings

from apps.suppliers.errors import Rejected
from apps.suppliers.simulation.trouble import with_trouble


class Parrot:
    name = "parrot"

    def __init__(self) -> None:
        self.heard: list[str] = []

    def say(self, word: str, *, times: int = 1) -> str:
        self.heard.append(word)
        return word * times


def test_without_trouble_the_adapter_is_itself() -> None:
    parrot = Parrot()
    assert with_trouble(parrot, None) is parrot


def test_supplier_error_refuses_every_call_before_it_arrives() -> None:
    parrot = Parrot()
    troubled = with_trouble(parrot, "supplier_error")
    for _ in range(2):
        with pytest.raises(Rejected):
            troubled.say("hello")
    assert parrot.heard == []
    assert troubled.name == "parrot"


def test_slow_answers_late_once_and_then_as_usual(settings: Settings) -> None:
    settings.SANDBOX_SLOW_SECONDS = 0.2
    troubled = with_trouble(Parrot(), "slow")
    began = time.monotonic()
    assert troubled.say("ha", times=2) == "haha"
    first = time.monotonic() - began
    assert troubled.say("ho") == "ho"
    assert first >= 0.2
    assert time.monotonic() - began - first < 0.1


def test_an_unknown_trouble_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="no such trouble"):
        with_trouble(Parrot(), "thunder")

"""A partner's changes of stays, and the ways in which a supplier or a process may fail them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from apps.bookings.flow import call, settle
from apps.hotels.suppliers.simulator.adapter import HotelSimulator
from tests.hotels.suppliers.scripted import ScriptedHotels


class Killed(BaseException):
    """The process ends here: nobody catches it, and nothing more is written."""


def kill(*_: Any, **__: Any) -> Any:
    raise Killed


@contextmanager
def killed_at(point: str, supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Within the block, what is done dies at the point."""
    with monkeypatch.context() as patched:
        POINTS[point](supplier, patched)
        with pytest.raises(Killed):
            yield


def before_the_price(supplier: ScriptedHotels, patched: pytest.MonkeyPatch) -> None:
    patched.setattr(supplier, "check_change", kill)


def before_the_call_is_marked(supplier: ScriptedHotels, patched: pytest.MonkeyPatch) -> None:
    patched.setattr(call, "mark_calling", kill)


def before_the_call(supplier: ScriptedHotels, patched: pytest.MonkeyPatch) -> None:
    patched.setattr(supplier, "change", kill)


def between_the_stays(supplier: ScriptedHotels, patched: pytest.MonkeyPatch) -> None:
    """The new stay is written, the old one not cancelled yet."""
    patched.setattr(HotelSimulator, "_give_up", kill)


def before_the_answer(supplier: ScriptedHotels, patched: pytest.MonkeyPatch) -> None:
    carried_out = supplier.change

    def change(*asked: Any) -> Any:
        carried_out(*asked)
        raise Killed

    patched.setattr(supplier, "change", change)


def before_it_is_written(supplier: ScriptedHotels, patched: pytest.MonkeyPatch) -> None:
    patched.setattr(call, "confirm", kill)


def while_it_is_written(supplier: ScriptedHotels, patched: pytest.MonkeyPatch) -> None:
    """Before its last part, all of which is one transaction."""
    patched.setattr(settle, "owe", kill)


POINTS: dict[str, Callable[[ScriptedHotels, pytest.MonkeyPatch], None]] = {
    point.__name__: point
    for point in (
        before_the_price,
        before_the_call_is_marked,
        before_the_call,
        between_the_stays,
        before_the_answer,
        before_it_is_written,
        while_it_is_written,
    )
}

import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.flights.suppliers import registry as flights
from apps.hotels.suppliers import registry as hotels
from apps.suppliers.errors import Unavailable
from apps.suppliers.vendors import Vendor


class Proving:
    """An adapter that is let in, says what it proved, or meets `failure`."""

    def __init__(self, said: str | None = None, failure: Exception | None = None) -> None:
        self._said, self._failure = said, failure

    def prove(self) -> str | None:
        if self._failure is not None:
            raise self._failure
        return self._said


@pytest.fixture
def acme(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Any:
    """`acme(hotels=…, flights=…)` are the adapters of the supplier chosen for both."""
    settings.SUPPLIERS = {
        "hotels": {"live": "acme"},
        "flights": {"live": "acme"},
        "esim": {"live": "simulator"},
    }

    def connect(*, hotel: Proving, flight: Proving) -> None:
        monkeypatch.setitem(hotels.VENDORS, "acme", Vendor("acme", lambda: hotel))  # type: ignore[arg-type,return-value]
        monkeypatch.setitem(flights.VENDORS, "acme", Vendor("acme", lambda: flight))  # type: ignore[arg-type,return-value]

    return connect


def run(*, fails: bool = False) -> list[str]:
    """The table, with every number of milliseconds written as 0."""
    out = StringIO()
    if fails:
        with pytest.raises(CommandError, match="does not let us in"):
            call_command("check_suppliers", stdout=out)
    else:
        call_command("check_suppliers", stdout=out)
    return [re.sub(r" +\d+ +", "  0  ", re.sub(r" {2,}", "  ", line)) for line in out.getvalue().splitlines()]


def test_what_each_supplier_lets_us_do_is_a_table(acme: Any) -> None:
    acme(hotel=Proving(), flight=Proving("listed one order"))
    assert run() == [
        "supplier  product  proved  ms  verdict",
        "acme  hotels  credentials accepted  0  ok",
        "acme  flights  listed one order  0  ok",
    ]


@pytest.mark.parametrize(
    ("failure", "verdict"),
    [(Unavailable("key refused"), "Unavailable: key refused"), (KeyError("data"), "failed: KeyError")],
)
def test_one_that_does_not_let_us_in_fails_the_command_after_all_were_asked(
    acme: Any, failure: Exception, verdict: str
) -> None:
    acme(hotel=Proving(failure=failure), flight=Proving())
    assert run(fails=True)[1:] == [
        f"acme  hotels  nothing  0  {verdict}",
        "acme  flights  credentials accepted  0  ok",
    ]

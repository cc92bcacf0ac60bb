"""Every operation of the document is a method of the clients. `make lint` reports a client that is older than the document."""

import inspect
from functools import cache
from typing import Any

import pytest
from travel_partner import AsyncTravelPartner, TravelPartner

from apps.docs.client_methods import NAMES
from apps.gateway.openapi import document
from clients.python.generator.operations import declarations


def test_every_operation_has_a_name_of_its_own() -> None:
    ids = [declared["operationId"] for _, _, declared in declarations(document())]
    assert len(ids) >= 43
    assert sorted(ids) == sorted(NAMES)
    assert len(set(NAMES.values())) == len(NAMES)


@cache
def client_of(kind: type) -> Any:
    """One for all names: each client reads the machine's authorities anew, which takes longer than all that is asked of it."""
    return kind("svc_test_secret", "http://service")


@pytest.mark.parametrize("name", NAMES.values())
@pytest.mark.parametrize("kind", [TravelPartner, AsyncTravelPartner])
def test_every_name_is_a_method(kind: type, name: str) -> None:
    found = client_of(kind)
    for part in name.split("."):
        found = getattr(found, part)
    assert inspect.iscoroutinefunction(found) == (kind is AsyncTravelPartner)
    assert "timeout" in inspect.signature(found).parameters
    assert inspect.getdoc(found)

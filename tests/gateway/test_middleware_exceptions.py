"""What an exception becomes, and whether its refusal says that a repetition may succeed (`from_exception`)."""

import pytest
from django.db import (
    DataError,
    InterfaceError,
    InternalError,
    OperationalError,
)

from apps.common import errors
from apps.gateway.exceptions import from_exception


def failed(error: Exception, state: str) -> Exception:
    cause = Exception()
    cause.sqlstate = state  # type: ignore[attr-defined]
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (errors.NotFound(), errors.NotFound),
        (OperationalError("the connection is lost"), errors.UpstreamUnavailable),
        (InterfaceError("connection already closed"), errors.UpstreamUnavailable),
        (failed(OperationalError(), "55P03"), errors.UpstreamUnavailable),  # lock timeout
        (failed(OperationalError(), "57014"), errors.UpstreamUnavailable),  # statement timeout
        (failed(OperationalError(), "57P01"), errors.UpstreamUnavailable),  # shutting down
        (failed(OperationalError(), "40P01"), errors.UpstreamUnavailable),  # deadlock
        (failed(OperationalError(), "53300"), errors.UpstreamUnavailable),  # too many connections
        (failed(OperationalError(), "25P03"), errors.UpstreamUnavailable),  # idle in transaction
        (failed(InternalError(), "25006"), errors.UpstreamUnavailable),  # a standby, not yet promoted
        (failed(DataError(), "22003"), errors.InternalError),
        (failed(KeyError("x"), "57014"), errors.InternalError),
        (KeyError("x"), errors.InternalError),
        (RecursionError(), errors.InternalError),
    ],
)
def test_exceptions_become_the_refusal_that_says_whether_to_repeat(error: Exception, found: type):
    refusal = from_exception(error)

    assert type(refusal) is found
    assert refusal.own_texts == {refusal.message}, "the log may show it"

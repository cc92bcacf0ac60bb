"""Every refusal that Hotelbeds documents, with the status that it comes with, and its body."""

from collections.abc import Iterable
from typing import Any

SEARCHING = (
    "E_REQUEST_INVALID",
    "E_REQUEST_PASTDATE",
    "E_REQUEST_ATLEASTONEADULT",
    "E_REQUEST_INVALIDTERMINALCODE",
    "E_REQUEST_GPSCOORDINATES",
    "E_REQUEST_ATLASCODE",
    "E_REQUEST_INVALIDDATEFORMAT",
    "E_REQUEST_ADULTSDONTMATCH",
    "E_REQUEST_CHILDRENDONTMATCH",
    "E_REQUEST_AGESDONTMATCH",
    "E_REQUEST_SAMEFROMTO",
)
STATUSES = {
    **dict.fromkeys(SEARCHING, 400),
    "E_CONFIRMATION_INVALIDRATEKEY": 500,
    "E_CONFIRMATION_RATEKEYHASH": 400,
    "E_CONFIRMATION_RATEKEYCREDENTIALS": 400,
    "E_CONFIRMATION_INSUFFICIENTSEATS": 400,
    "E_CONFIRMATION_EMPTYTRANSFERS": 400,
    "E_CONFIRMATION_DUPLICATEDSERVICES": 500,
    "E_CONFIRMATION_WRONGLANGUAGE": 500,
    "E_CONFIRMATION_PAXESDONOTMATCH": 500,
    "E_CONFIRMATION_NOTRESPONDING": 500,
    "E_BOOKING_NOTFOUND": 400,
    "E_BOOKING_CANCELLATIONERROR": 409,
}
"""By code. A booking that cannot be cancelled is documented with 400 and with 409."""
BOOKING = tuple(code for code in STATUSES if code.startswith("E_CONFIRMATION"))
OVER_RATE, OVER_QPS = "Developer Over Rate", "Developer Over Qps"


class Refusal(Exception):
    """What the supplier answers instead."""

    def __init__(self, code: str, fields: Iterable[str] = ()) -> None:
        super().__init__(code)
        self.code, self.fields = code, tuple(fields)

    @property
    def answer(self) -> tuple[int, dict[str, Any]]:
        return STATUSES[self.code], error_body(self.code, fields=self.fields)


def refuse_if(refused: object, code: str, *fields: str) -> None:
    if refused:
        raise Refusal(code, fields)


def error_body(code: str, *, fields: Iterable[str] = (), inside: bool = False) -> dict[str, Any]:
    """`inside`: the code stands in `fieldErrors` only."""
    named = list(fields) or (["stub"] if inside else [])
    return {
        "code": None if inside else code,
        "message": "stub: refused",
        "description": "",
        "dateTime": "2026-11-20T14:05:10Z",
        "isBadRequest": False,
        "fieldErrors": [{"code": code, "field": field, "message": "stub"} for field in named],
        "serviceName": "stub",
        "traceId": "stub-1",
    }

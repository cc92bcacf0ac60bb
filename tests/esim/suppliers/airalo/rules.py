"""What the stub of Airalo does not take: parameters that are not documented, and values of another form."""

from typing import Any

from tests.esim.suppliers.airalo.documented import Invalid
from tests.support.supplier_stub import Heard

ORDER_FIELDS = {"package_id", "quantity", "type", "description", "brand_settings_name", "to_email"}
TOP_UP_FIELDS = {"package_id", "iccid", "description"}
REFUND_FIELDS = {"iccids[]", "reason", "notes", "email"}
REFUND_REASONS = frozenset(
    """
    INSTALLATION_FAILURE NO_COVERAGE APN_FAILURE TRIP_CANCELLATION INTERMITTENT_CONNECTION BLOCKED_NETWORK CHANGE_OF_PLAN
    DELETED_ESIM EARLY_EXPIRY HOTSPOT_NOT_WORKING IMSI_CHANGE INCOMPATIBLE_DEVICE LOCKED_DEVICE NO_VOICE_TEXT_SERVICES OVERCHARGED
    SLOW_SPEED TOP_UP_PACKAGE_FAILURE UNKNOWN_CHARGES WRONG_PURCHASE UNABLE_TO_ACCESS_APPS SERVICE_DEGRADATION QR_ISSUE_PARTNERS
    OTHERS
    """.split()  # noqa: SIM905
)
INCLUDED = {"sims", "user", "status"}
FORM, JSON = "application/x-www-form-urlencoded", "application/json"
LONGEST_ICCID = 22
LONGEST_NOTES = 255


def fields_of(heard: Heard, *kinds: str) -> dict[str, Any]:
    """The fields of a body of these kinds. In one of another kind they find no field at all."""
    kind = heard.headers.get("content-type", "").partition(";")[0]
    if kind not in kinds:
        return {}
    found = heard.json if kind == JSON else heard.form
    return found if isinstance(found, dict) else {}


def refuse_query(heard: Heard, known: set[str]) -> None:
    """Only documented parameters; `limit` and `page` are whole numbers."""
    wrong = dict.fromkeys(heard.query.keys() - known, "The parameter is unknown.")
    for name in {"limit", "page"} & heard.query.keys():
        if not heard.query[name].isdecimal():
            wrong[name] = f"The {name} must be an integer."
    if wrong:
        raise Invalid(**wrong)


def included(heard: Heard) -> set[str]:
    asked = set(filter(None, heard.query.get("include", "").split(",")))
    if asked - INCLUDED:
        raise Invalid(include="The selected include is invalid.")
    return asked


def refuse_bad_order(body: dict[str, Any]) -> None:
    """`quantity` may be a number or text: forms know only text. We have no use for any other than one."""
    wrong = dict.fromkeys(body.keys() - ORDER_FIELDS, "The field is unknown.") | refused_texts(
        body, "package_id", "description"
    )
    if str(body.get("quantity", "")) != "1":
        wrong["quantity"] = "The quantity must be 1."
    if body.get("type", "sim") != "sim":
        wrong["type"] = "The selected type is invalid."
    if wrong:
        raise Invalid(**wrong)


def refuse_bad_top_up(body: dict[str, Any]) -> None:
    wrong = dict.fromkeys(body.keys() - TOP_UP_FIELDS, "The field is unknown.") | refused_texts(
        body, "package_id", "iccid", "description"
    )
    iccid = str(body.get("iccid", ""))
    if "iccid" not in wrong and not (iccid.isdecimal() and len(iccid) <= LONGEST_ICCID):
        wrong["iccid"] = "The selected iccid is invalid."
    if wrong:
        raise Invalid(**wrong)


def refuse_bad_refund(body: dict[str, Any]) -> None:
    wrong = dict.fromkeys(body.keys() - REFUND_FIELDS, "The field is unknown.") | refused_texts(
        body, "iccids[]", "reason"
    )
    if body.get("reason") not in REFUND_REASONS:
        wrong["reason"] = "The selected reason is invalid."
    if len(body.get("notes", "")) > LONGEST_NOTES:
        wrong["notes"] = "The notes may not be greater than 255 characters."
    if body.get("reason") == "OTHERS" and not body.get("notes"):
        wrong["notes"] = "The notes field is required when reason is OTHERS."
    if wrong:
        raise Invalid(**wrong)


def refused_texts(body: dict[str, Any], *required: str) -> dict[str, str]:
    """Which of these are missing or no text. A description may be left out there; ours is how an order is found."""
    return {
        name: f"The {name.replace('_', ' ')} field is required."
        for name in required
        if not isinstance(body.get(name), str) or not body[name]
    }

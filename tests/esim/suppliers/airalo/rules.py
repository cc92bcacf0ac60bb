"""What the stub of Airalo does not take."""

from typing import Any

ORDER_FIELDS = {"package_id", "quantity", "type", "description", "brand_settings_name", "to_email"}
MOST_AT_ONCE = 50


class Invalid(Exception):
    """A validation's refusal: what is wrong with each field."""

    def __init__(self, **fields: str) -> None:
        self.fields = fields


def refuse_unknown_query(query: dict[str, str], known: set[str]) -> None:
    if unknown := query.keys() - known:
        raise Invalid(**dict.fromkeys(unknown, "unknown"))


def refuse_bad_order(body: dict[str, Any]) -> None:
    """`quantity` may be a number or text: forms know only text."""
    wrong = dict.fromkeys(body.keys() - ORDER_FIELDS, "unknown")
    if not isinstance(body.get("package_id"), str) or not body["package_id"]:
        wrong["package_id"] = "The package id field is required."
    quantity = str(body.get("quantity", ""))
    if not quantity.isdecimal() or not 1 <= int(quantity) <= MOST_AT_ONCE:
        wrong["quantity"] = "The quantity must be between 1 and 50."
    if body.get("type", "sim") != "sim":
        wrong["type"] = "The selected type is invalid."
    if not isinstance(body.get("description", ""), str):
        wrong["description"] = "The description must be a string."
    if wrong:
        raise Invalid(**wrong)

"""Supplier errors between a remote simulator and its adapter: `{"type", "message", "currentCents"?, "name"?}`."""

from typing import Any

from apps.suppliers import errors

ERRORS: dict[str, type[errors.SupplierError]] = {
    error.__name__: error
    for error in (
        errors.Expired,
        errors.Rejected,
        errors.Unavailable,
        errors.Missing,
        errors.NotPossible,
        errors.OutcomeUnknown,
    )
}


def error_to_json(error: errors.SupplierError) -> dict[str, Any]:
    if isinstance(error, errors.PriceChanged):
        return {"type": "PriceChanged", "message": str(error), "currentCents": error.current_cents}
    if isinstance(error, errors.ServiceGone):
        return {"type": "ServiceGone", "message": str(error), "name": error.name}
    return {"type": type(error).__name__, "message": str(error)}


def error_from_json(data: dict[str, Any]) -> errors.SupplierError:
    """The error that `data` tells of; raises KeyError when it tells of none that we know."""
    if data["type"] == "PriceChanged":
        return errors.PriceChanged(data["currentCents"])
    if data["type"] == "ServiceGone":
        return errors.ServiceGone(data["name"])
    return ERRORS[data["type"]](data["message"])

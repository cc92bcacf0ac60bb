"""The webhook events of the document: which struct an event's `type` is read as."""

from typing import Any


def events(document: dict[str, Any]) -> str:
    """The module's text."""
    found = {name: f"models.{_component(item)}" for name, item in document["webhooks"].items()}
    return "\n".join(
        [
            "from travel_partner import models",
            "",
            f"KnownEvent = {' | '.join(found.values())}",
            "",
            f"EVENTS: dict[str, type[KnownEvent]] = {{{', '.join(f'{name!r}: {kind}' for name, kind in found.items())}}}",
            '"""The struct of each type of event."""',
            "",
        ]
    )


def _component(item: dict[str, Any]) -> str:
    schema = item["post"]["requestBody"]["content"]["application/json"]["schema"]
    return str(schema["$ref"]).rpartition("/")[2]

"""Parts of an answer that may be missing, or be something else."""

from collections.abc import Mapping
from typing import Any


def part(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """An object in an object; an empty one where there is none."""
    found = data.get(name)
    return found if isinstance(found, Mapping) else {}


def items(data: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """The objects in a list in an object."""
    found = data.get(name)
    return [item for item in found if isinstance(item, Mapping)] if isinstance(found, list) else []


def text(data: Mapping[str, Any], name: str) -> str:
    """A text in an object, as it can be stored; an empty one where there is none."""
    found = data.get(name)
    return storable(found) if isinstance(found, str) else ""


def storable(told: str) -> str:
    """Without what JSON can carry and PostgreSQL cannot: the character zero, half a surrogate pair."""
    return told.encode(errors="ignore").decode().replace("\0", "")

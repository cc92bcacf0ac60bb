"""What can happen to a supplier's answer between its stand-in and us."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.support.supplier_stub import Trouble

Alter = Callable[[Any], Any]


@dataclass(frozen=True)
class Damage(Trouble):
    """A Trouble that may also rewrite what the handler answered: `alter` gets a copy of the JSON and returns what is sent."""

    alter: Alter | None = None

    @property
    def silent(self) -> bool:
        """Whether no whole answer comes: whoever waits for it waits in vain."""
        return self.end in ("hang", "drip")


def instead(status: int, body: Any = None, *, times: int = 1, **headers: str) -> Damage:
    """An answer in place of doing it; `Retry_After="1"` becomes a header."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Damage(accept=False, status=status, body=body, headers=named, times=times)


def done_but(body: Any, status: int = 200, *, times: int = 1, **headers: str) -> Damage:
    """It is done, and answered with this."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Damage(status=status, body=body, headers=named, times=times)


def altered(alter: Alter, *, times: int = 1) -> Damage:
    """It is done, and its answer rewritten."""
    return Damage(alter=alter, times=times)


def everywhere(change: Callable[[str, Any], Any]) -> Alter:
    """Rewrites each value in an answer: `change(name, value)`; lists go by the name of their field."""

    def walk(value: Any, name: str) -> Any:
        if isinstance(value, dict):
            return {key: walk(part, key) for key, part in value.items()}
        if isinstance(value, list):
            return [walk(part, name) for part in value]
        return change(name, value)

    return lambda body: walk(body, "")

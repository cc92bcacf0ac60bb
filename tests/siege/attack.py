"""What an attack is: a storm, and how it is judged."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.siege.field import Field

if TYPE_CHECKING:
    from tests.siege.stage import Stage


@dataclass(frozen=True)
class Attack:
    """`storm` runs in the attackers' process until it is cancelled or has nothing more to do."""

    name: str
    storm: Callable[[Field], Awaitable[None]]
    prepare: "Callable[[Stage], dict[str, Any]] | None" = None
    """Runs in the judge's process before; what it returns is `Field.told`."""
    patience: float = 0.0
    """How many seconds more the last wave's connections are left open, to see when the server ends them."""
    must_end: bool = False
    """Whether the server has to end each of them within that time."""
    hung: tuple[str, ...] = ()
    """Products whose suppliers take every request and never answer."""
    victims: tuple[str, ...] = ("account", "search", "booking")
    rounds: int = 0
    """Waves, where the attack needs a number of its own."""
    crew: bool = False
    """Whether it is about what the workers do, and needs them to run."""

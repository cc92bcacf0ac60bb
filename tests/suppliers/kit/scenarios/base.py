"""A scenario: a sentence, and what is played in a world. What it left behind is judged afterwards, always the same way."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.suppliers.kit.bench import Bench
from tests.suppliers.kit.world import World

Play = Callable[[World], None]


@dataclass(frozen=True)
class Scenario:
    """`needs`: steps that the connector must have. `where`: what else must be so for it to make sense."""

    name: str
    play: Play
    needs: frozenset[str] = frozenset()
    where: Callable[[Bench], bool] | None = None

    def __str__(self) -> str:
        return self.name


class Subject(list[Scenario]):
    """The scenarios of one file, in its order."""

    def scenario(
        self, name: str, *needs: str, where: Callable[[Bench], bool] | None = None
    ) -> Callable[[Play], Play]:
        def add(play: Play) -> Play:
            self.append(Scenario(name, play, frozenset(needs), where))
            return play

        return add

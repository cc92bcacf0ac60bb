"""What an operation answers, before it becomes an HTTP response."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Record:
    """The row that holds an answer, to be written in the statement that stores the answer."""

    insert: str
    """An INSERT whose parameters have names."""
    parameters: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Answer:
    """Body and status of an operation's answer. The gateway adds the headers."""

    body: object = None
    """What `envelope.render` turns into JSON; bytes are sent as they are."""
    status: int = 200
    resource: str = ""
    """Id of the record that holds the body (a search), so that the body is not stored twice."""
    record: Record | None = None
    """That record, of a search."""
    secret: bool = False
    """Whether the body shows a secret. It is then encrypted where it is stored for replays."""

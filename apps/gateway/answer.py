"""What an operation answers, before it becomes an HTTP response."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """Body and status of an operation's answer. The gateway adds the headers."""

    body: object = None
    """What `envelope.render` turns into JSON; bytes are sent as they are."""
    status: int = 200
    resource: str = ""
    """Id of the record that already holds the body (a search), so that the body is not stored twice."""
    secret: bool = False
    """Whether the body shows a secret. It is then encrypted where it is stored for replays."""

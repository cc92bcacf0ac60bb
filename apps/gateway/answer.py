"""What an operation answers, before it becomes an HTTP response."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.gateway.envelope import render


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
    billable: bool = True
    """Of a search: False where no supplier was asked, because none could have an offer. Its unit of the quota is given back."""
    secret: bool = False
    """Whether the body shows a secret. It is then encrypted where it is stored for replays, and never compressed."""
    about: object = None
    """The booking that the body shows, if it may name travellers: what is stored for replays is then sealed under its key."""
    _content: list[bytes] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def content(self) -> bytes:
        """The body as it is sent: rendered once, for whoever stores it and for the response."""
        if isinstance(self.body, bytes):
            return self.body
        if not self._content:
            self._content.append(render(self.body))
        return self._content[0]

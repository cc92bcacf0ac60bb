"""One call: what is sent, the same in every attempt, and the type of its response."""

from __future__ import annotations

import urllib.parse
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import msgspec

from travel_partner import errors
from travel_partner.response import Response

T = TypeVar("T")

READ_SECONDS = 30.0
WRITE_SECONDS = 60.0
"""The service ends a booking after 45 seconds. A shorter wait would miss its outcome."""


@dataclass(frozen=True)
class Call(Generic[T]):
    """One operation with its arguments."""

    method: str
    path: str
    answer: type[T]
    query: Mapping[str, object] = field(default_factory=dict)
    body: Mapping[str, object] | None = None
    also: tuple[int, ...] = ()
    """Statuses besides success that answer with the same value."""
    customer_ref: str | None = None
    idempotency_key: str | None = None
    timeout: float | None = None

    @property
    def seconds(self) -> float:
        """How long one attempt waits for a response."""
        return self.timeout or (WRITE_SECONDS if self.method == "POST" else READ_SECONDS)

    def headers(self) -> dict[str, str]:
        """A POST without a key gets one here: the call keeps what this returns for all of its attempts.

        Raises ValueError for what no header can hold: then nothing was sent.
        """
        found = {"Accept": "application/json"}
        if self.body is not None:
            found["Content-Type"] = "application/json"
        if self.method == "POST":
            own = self.idempotency_key
            found["Idempotency-Key"] = str(uuid.uuid4()) if own is None else _sendable("idempotency_key", own)
        if self.customer_ref is not None:
            found["X-Partner-Customer-Ref"] = _sendable("customer_ref", self.customer_ref)
        return found

    def content(self) -> bytes | None:
        return None if self.body is None else msgspec.json.encode(self.body)

    def read(self, response: Response) -> T:
        """The answer's value. Raises ApiError for a refusal, UnreadableAnswerError, or DecodeError where it is cut off."""
        if not (200 <= response.status < 300 or response.status in self.also):
            raise errors.refusal(response)
        if self.answer is bytes:
            if "content-disposition" not in response.headers:  # the page of a proxy
                raise errors.UnreadableAnswerError(f"{self.method} {self.path} answered no file", response)
            return response.content  # type: ignore[return-value]
        nothing = response.status == 204 or self.answer is type(None)  # whatever it may answer one day
        try:
            return _decoder(self.answer).decode(b"null" if nothing else response.content)
        except msgspec.ValidationError as error:
            what = f"{self.method} {self.path} answered what is no {self.answer.__name__}: {error}"
            raise errors.UnreadableAnswerError(what, response) from error
        except UnicodeDecodeError as error:
            raise msgspec.DecodeError("a text that is not UTF-8") from error


def _sendable(name: str, value: str) -> str:
    if not (value.isascii() and value.isprintable() and value == value.strip()):
        raise ValueError(f"{name} must be printable ASCII, without line breaks and without spaces around it.")
    return value


_decoders: dict[object, msgspec.json.Decoder[Any]] = {}


def _decoder(answer: type[T]) -> msgspec.json.Decoder[T]:
    """Made once: that takes longer than reading an answer with it."""
    if answer not in _decoders:
        _decoders[answer] = msgspec.json.Decoder(answer)
    return _decoders[answer]


def given(values: Mapping[str, object]) -> dict[str, object]:
    """What of `values` was given."""
    return {name: value for name, value in values.items() if value is not None}


def located(path: str, **ids: str) -> str:
    """`path` with the ids filled in. An empty id would be another operation."""
    if any(value in {"", ".", ".."} for value in ids.values()):
        raise ValueError(f"{path}: the id is empty")
    return path.format(**{name: urllib.parse.quote(value, safe="") for name, value in ids.items()})


def query_of(call: Call[Any]) -> dict[str, str]:
    """Dates as the API writes them, true and false in small letters. A query in the path is kept."""
    values = msgspec.to_builtins(given(call.query))
    return dict(urllib.parse.parse_qsl(call.path.partition("?")[2], keep_blank_values=True)) | {
        name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in values.items()
    }

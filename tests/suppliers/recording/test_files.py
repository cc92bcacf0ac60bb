import json

import pytest

from apps.suppliers.recording import NotClean, Taken, recording, take_down, written


def taken(answered: bytes, sent: bytes = b"", target: str = "/orders?ref=R-1") -> Taken:
    return Taken("POST", target, sent, 200, {"content-type": "application/json"}, answered)


def text_of(*exchanges: Taken, secrets: tuple[str, ...] = (), travellers: tuple[str, ...] = ()) -> str:
    return written("acme", "R-1", exchanges, secrets=secrets, travellers=travellers)


def test_bodies_are_objects_and_so_are_forms() -> None:
    text = text_of(taken(b'{"price": 106.2}', b"client_secret=abcdef&grant=x"))
    (one,) = json.loads(text)["exchanges"]
    assert one["answered"] == {"price": 106.2}
    assert one["sent"] == {"client_secret": "redacted-1", "grant": "x"}
    assert (one["path"], one["query"], one["status"]) == ("/orders", {"ref": "R-1"}, 200)


def test_what_is_no_json_is_kept_as_text_and_an_empty_body_as_none() -> None:
    first, second = json.loads(text_of(taken(b"<html>Sorry, abcdef"), taken(b""), secrets=("abcdef",)))[
        "exchanges"
    ]
    assert (first["answered"], second["answered"], second["sent"]) == ("<html>Sorry, redacted-1", None, None)


def test_nothing_is_written_while_a_traveller_is_left() -> None:
    """A name where no name is expected."""
    with pytest.raises(NotClean):
        text_of(taken(b'{"memo": "QUACKENBUSH"}'), travellers=("Quackenbush",))


def test_only_who_records_takes_down() -> None:
    headers = {"content-type": "text/plain", "set-cookie": "session=1"}
    take_down("GET", "/a", b"", 200, headers, b"")
    with recording() as tape:
        take_down("GET", "/b", b"", 200, headers, b"x")
    take_down("GET", "/c", b"", 200, headers, b"")
    (one,) = tape.taken
    assert (one.target, one.headers) == ("/b", {"content-type": "text/plain"})

"""Recordings: travellers and secrets are replaced, each always by the same."""

import json
from typing import Any

import pytest

from apps.suppliers.recording import NotClean, Redactor, Taken, recording, take_down, written


def redacted(*told: Any, known: tuple[str, ...] = ()) -> Any:
    redactor = Redactor(known)
    for one in told:
        redactor.learn(one)
    return [redactor.redacted(one) for one in told]


def test_who_is_named_in_a_request_is_the_same_in_the_answer() -> None:
    sent, answered = redacted(
        {
            "holder": {"name": "Ines", "surname": "Prado", "email": "ines@prado.example"},
            "phone": "+351219998877",
        },
        {"data": {"note": "For Prado, ines@prado.example", "hotel": {"name": "Hotel Ines"}}},
    )
    assert sent["holder"] == {"name": "Person B", "surname": "Person C", "email": "person-3@example.com"}
    assert sent["phone"] == "+15550100004"
    assert answered["data"]["note"] == "For Person C, person-3@example.com"
    assert answered["data"]["hotel"]["name"] == "Hotel Person B"


def test_secrets_go_by_their_fields_and_keep_their_form() -> None:
    (told,) = redacted(
        {"iccid": "8900000000000000017", "qrcode": "LPA:1$host$CODE-7", "access_token": "tok-1", "id": 7}
    )
    assert told == {
        "iccid": f"{1:019}",
        "qrcode": "LPA:1$smdp.example$REDACTED-2",
        "access_token": "redacted-3",
        "id": 7,
    }


def test_mails_and_phone_numbers_are_found_in_texts() -> None:
    assert redacted({"remarks": "call +34600111222 or mail a.b@c.example"}) == [
        {"remarks": "call +15550100002 or mail person-1@example.com"}
    ]


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
    (one,) = tape
    assert (one.target, one.headers) == ("/b", {"content-type": "text/plain"})

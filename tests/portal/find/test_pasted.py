import uuid

import pytest

from apps.portal.find.lookups import Pasted

REQUEST = "9eef26dd-1bce-474a-aa89-9046dd70e931"


def test_a_line_of_a_log_gives_the_ids_in_it():
    line = (
        f'ERROR 409 {{"error":{{"requestId":"{REQUEST}"}}}} on /v1/flights/orders/ford_01kb2c8x000000000000000000 '
        "(F-7KQ2M9XD), event EVT_01KB2C8X000000000000000000"
    )
    pasted = Pasted.of(line)
    assert pasted.requests == (uuid.UUID(REQUEST),)
    assert pasted.ids == ("ford_01kb2c8x000000000000000000", "evt_01kb2c8x000000000000000000")
    assert pasted.references == ("F-7KQ2M9XD",)


@pytest.mark.parametrize("text", [f' "{REQUEST}",', REQUEST.upper(), REQUEST.replace("-", "")])
def test_a_request_id_is_known_in_every_spelling(text):
    assert Pasted.of(text).requests == (uuid.UUID(REQUEST),)


def test_the_whole_text_is_what_partners_name_as_they_like():
    assert Pasted.of(" 'Order 7/A' ").word == "Order 7/A"
    assert (Pasted.of("x" * 255).word, Pasted.of("x" * 256).word) == ("x" * 255, "")


@pytest.mark.parametrize(
    ("text", "pnr", "iccid", "email"),
    [
        ("ab3x9k", "AB3X9K", "", ""),
        ("8935101234567890123", "", "8935101234567890123", ""),
        ("89351 01234 56789 0123", "", "8935101234567890123", ""),
        ("<Ann@partner.example>", "", "", "Ann@partner.example"),
        ("order 7", "", "", ""),
    ],
)
def test_what_a_text_may_be_depends_on_its_form(text, pnr, iccid, email):
    pasted = Pasted.of(text)
    assert (pasted.pnr, pasted.iccid, pasted.email) == (pnr, iccid, email)


def test_of_a_secret_the_first_characters_are_kept():
    whole = "svc_test_4f9cAbCd" + "x" * 30
    for text in ("svc_test_4f9c", "svc_test_4f9c…", "svc_test_4f9c...", whole):
        assert Pasted.of(text).secrets == ("svc_test_4f9c",)
    assert (Pasted.of("svc_test_4f9c…").has_whole_secret, Pasted.of(whole).has_whole_secret) == (False, True)


def test_a_long_text_is_read_up_to_a_bound():
    many = " ".join(f"key_{number:026}" for number in range(30))
    assert len(Pasted.of(many).ids) == 10
    assert Pasted.of("x" * 4_000 + f" {REQUEST}").requests == ()

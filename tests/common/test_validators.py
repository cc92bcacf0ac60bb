import pytest
from django.core.exceptions import ValidationError

from apps.common.validators import EmailAddressValidator, name_fault

LETTER = "must have at least one letter"
PRINTABLE = "must have printable characters only"


@pytest.mark.parametrize(
    "name",
    [
        "Ada",
        "O'Brien-Núñez",
        "李",
        "محمد",
        "ʻIolani",
        "علی\u200cرضا",  # Alireza, with a non-joiner
        "ක්\u200dෂිත",  # Sinhala, a joiner after a virama
        "র\u200d্যাব",  # Bengali, a joiner before a virama
        "അനില്\u200d",  # Malayalam, a joiner after the virama that ends the word
        "न\u093eरायण",
        "R2",
    ],
)
def test_a_name_of_any_script_is_valid(name: str) -> None:
    assert name_fault(name) == ""


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", LETTER),
        ("123", LETTER),
        ("-'-", LETTER),
        ("١٢", LETTER),
        ("🙂", LETTER),
        ("Ada\u200d", PRINTABLE),
        ("\u200cAda", PRINTABLE),
        ("A\u200c\u200dda", PRINTABLE),
        ("Ada \u200cByron", PRINTABLE),
        ("1\u200d2a", PRINTABLE),
        ("👩\u200d🚀a", PRINTABLE),
        ("Ada\u202e", PRINTABLE),
        ("\u2066Ada\u2069", PRINTABLE),
        ("Ada\u200fByron", PRINTABLE),
        ("Ada\u061cByron", PRINTABLE),
        ("Ada\u00adByron", PRINTABLE),
        ("Ada\ufeff", PRINTABLE),
        ("Ada\nByron", PRINTABLE),
        ("Ada\x00", PRINTABLE),
    ],
)
def test_a_name_without_a_letter_or_with_invisible_characters_is_invalid(name: str, fault: str) -> None:
    assert name_fault(name) == fault


@pytest.mark.parametrize(
    "address", [f"{'a' * 64}@example.com", "ada@example.co.uk", "ada@[192.0.2.1]", "ada@bücher.example"]
)
def test_an_address_that_mail_reaches_is_valid(address: str) -> None:
    EmailAddressValidator()(address)


@pytest.mark.parametrize(
    "address",
    [
        "ada@localhost",
        "ada@example",
        f"{'a' * 65}@example.com",
        "ada@[IPv6:2001:db8::1]",
        "ada",
        "@example.com",
        "",
    ],
)
def test_an_address_without_a_dot_in_its_host_or_with_a_longer_local_part_is_invalid(address: str) -> None:
    with pytest.raises(ValidationError):
        EmailAddressValidator()(address)

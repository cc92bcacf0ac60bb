"""What a partner writes on a bank transfer, so that staff know whose money arrived: a creditor reference of ISO 11649.

`RF`, two check digits by which a bank or the form of staff notices a mistyped character, eight characters without look-alikes.
It follows from the account's id and is stored nowhere: it is the same for ever, and known before the first transfer.
"""

import hashlib
import re

from apps.accounts.models import Account

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # as of booking references: without 0 O, 1 I L, U (V)
LENGTH = 8
WRITTEN = re.compile(rf"RF[0-9]{{2}}[{ALPHABET}]{{{LENGTH}}}")


def payment_reference(account_id: str) -> str:
    """`RF85Z7T2J9YW`. `account_id`: the partner's, not that of a sandbox."""
    number = int.from_bytes(hashlib.sha256(account_id.encode()).digest())
    body = "".join(ALPHABET[number // len(ALPHABET) ** place % len(ALPHABET)] for place in range(LENGTH))
    return f"RF{98 - remainder(f'{body}RF00'):02}{body}"


def in_groups(reference: str) -> str:
    """As it is printed: `RF85 Z7T2 J9YW`."""
    return " ".join(reference[at : at + 4] for at in range(0, len(reference), 4))


def read(text: str) -> str:
    """The reference in a text, as people and banks write it: with spaces, in small letters. Empty if it is not a reference."""
    found = re.sub(r"[\s\-./]", "", text).upper()
    return found if WRITTEN.fullmatch(found) else ""


def is_right(reference: str) -> bool:
    """Whether the check digits match what follows them."""
    return remainder(reference[4:] + reference[:4]) == 1


def accounts_with(text: str) -> list[str]:
    """The ids of the partners that a payment reference names: one, or none; more only in theory.

    It is computed for every partner. There are few, and staff rarely ask.
    """
    wanted = read(text)
    if not wanted or not is_right(wanted):
        return []
    ids = Account.objects.filter(sandbox_of=None).order_by("pk").values_list("pk", flat=True)
    return [pk for pk in ids if payment_reference(pk) == wanted]


def remainder(text: str) -> int:
    """By 97, as ISO 7064 has it: letters stand for 10 to 35."""
    return int("".join(str(int(letter, 36)) for letter in text)) % 97

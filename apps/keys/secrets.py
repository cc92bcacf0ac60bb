"""Secrets of API keys: `svc_live_` or `svc_test_`, 32 random base62 characters, and a checksum of these.

The checksum lets junk be refused without a look-up; it proves nothing else. Only the SHA-256 of a secret is ever stored.
"""

import hashlib
import re
import secrets
import string
import zlib

BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
RANDOM_CHARACTERS = 32
CHECKSUM_CHARACTERS = 6
DISPLAY_CHARACTERS = len("svc_live_") + 4

WELL_FORMED = re.compile(rf"svc_(?:live|test)_[0-9A-Za-z]{{{RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}}")


def make(environment: str) -> str:
    """A new secret for `environment`, with 190 random bits."""
    body = "".join(secrets.choice(BASE62) for _ in range(RANDOM_CHARACTERS))
    unchecked = f"svc_{environment}_{body}"
    return unchecked + checksum(unchecked)


def is_plausible(secret: str) -> bool:
    """Whether `secret` could have been issued: its form is right and its checksum matches."""
    if WELL_FORMED.fullmatch(secret) is None:
        return False
    return checksum(secret[:-CHECKSUM_CHARACTERS]) == secret[-CHECKSUM_CHARACTERS:]


def checksum(text: str) -> str:
    """The CRC32 of `text` in base 62, left-padded."""
    number, digits = zlib.crc32(text.encode()), []
    for _ in range(CHECKSUM_CHARACTERS):
        number, digit = divmod(number, 62)
        digits.append(BASE62[digit])
    return "".join(reversed(digits))


def digest(secret: str) -> str:
    """What is stored, and looked up, instead of the secret: its SHA-256, hexadecimal."""
    return hashlib.sha256(secret.encode()).hexdigest()


def display_prefix(secret: str) -> str:
    """The first characters, by which a person recognises the secret in the portal."""
    return secret[:DISPLAY_CHARACTERS]

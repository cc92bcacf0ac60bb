"""What is left to chance in the service, decided the same way in every recording: ids count, the rest follows from a seed."""

import random
import secrets
import uuid
from base64 import b64decode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

from django.db import connection

from apps.webhooks.signatures import SECRET_BYTES

SIGNING_SECRETS = (
    "An/example/of/a/secret/it/signs/these/pages=",
    "An/example/of/a/secret/after/some/rotations=",
    "One/more/example/that/no/page/of/them/shows=",
    "The/last/example/where/approvals/are/told/s=",
)
"""The secrets of webhook endpoints after `whsec_`, in the order in which they are made: of the true form, and nobody's."""


# The ids of an event's deliveries end with chance of the database's own.
COUNTING_DATABASE = """
CREATE SCHEMA chance;
CREATE SEQUENCE chance.drawn;
CREATE FUNCTION chance.gen_random_uuid() RETURNS uuid LANGUAGE sql
    AS $$ SELECT lpad(nextval('chance.drawn')::text, 32, '0')::uuid $$;
SET LOCAL search_path TO chance, public, pg_catalog;
"""


class Chance:
    """The sources of chance, begun anew with each step of the journey: a new step leaves the ids of the others alone.

    Inside a transaction that is rolled back.
    """

    def __init__(self) -> None:
        self._secrets = iter(SIGNING_SECRETS)
        with connection.cursor() as cursor:
            cursor.execute(COUNTING_DATABASE)
        self.begin("")

    def begin(self, step: str) -> None:
        self._counted = 0
        self._uuids, self._numbers = random.Random(f"uuids {step}"), random.Random(f"numbers {step}")
        with connection.cursor() as cursor:
            cursor.execute("SELECT setval('chance.drawn', 1, false)")

    def token_bytes(self, length: int) -> bytes:
        """A secret of an endpoint; else it counts."""
        if length == SECRET_BYTES:
            return b64decode(next(self._secrets))
        return self.randbits(8 * length).to_bytes(length, "big")

    def randbits(self, bits: int) -> int:
        """The end of an id: it counts."""
        self._counted += 1
        return self._counted

    def token_hex(self, length: int) -> str:
        return self._numbers.randbytes(length).hex()

    def choice(self, values: Sequence[str]) -> str:
        return self._numbers.choice(values)

    def randbelow(self, limit: int) -> int:
        return self._numbers.randrange(limit)

    def uuid4(self) -> uuid.UUID:
        return uuid.UUID(bytes=self._uuids.randbytes(16), version=4)


@contextmanager
def chance_held() -> Iterator[Chance]:
    chance = Chance()
    with (
        patch.object(secrets, "token_bytes", chance.token_bytes),
        patch.object(secrets, "randbits", chance.randbits),
        patch.object(secrets, "token_hex", chance.token_hex),
        patch.object(secrets, "choice", chance.choice),
        patch.object(secrets, "randbelow", chance.randbelow),
        patch.object(uuid, "uuid4", chance.uuid4),
    ):
        yield chance

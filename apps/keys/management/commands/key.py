"""Revokes and rotates keys at the command line."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.core.management.base import BaseCommand, CommandError

from apps.common import clock
from apps.common.errors import GatewayError
from apps.keys.models import ApiKey
from apps.keys.services import DEFAULT_OVERLAP, LONGEST_OVERLAP, revoke_key, rotate_key


@contextmanager
def as_command_errors() -> Iterator[None]:
    """A refusal inside becomes a CommandError that names every wrong field, in one line and without a traceback."""
    try:
        yield
    except GatewayError as refusal:
        details = refusal.extras.get("details")
        lines = (
            [f"{each['field']}: {each['message']}" for each in details] if isinstance(details, list) else []
        )
        raise CommandError(" ".join(lines) or refusal.message) from refusal


class Command(BaseCommand):
    help = "Revoke an API key at once, or rotate it. The new secret is printed once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["revoke", "rotate"])
        parser.add_argument("key_id", metavar="key id")
        parser.add_argument(
            "--overlap-seconds",
            dest="overlap",
            type=overlap_seconds,
            help=f"rotate: how long older secrets stay valid, in seconds (default {DEFAULT_OVERLAP.total_seconds():.0f})",
        )
        parser.add_argument("--json", action="store_true", dest="as_json", help="print one JSON object")

    def handle(
        self,
        *args: object,
        action: str,
        key_id: str,
        overlap: timedelta | None,
        as_json: bool,
        **options: object,
    ) -> None:
        key = ApiKey.objects.filter(id=key_id).first()
        if key is None:
            raise CommandError(f"No key has the id {key_id!r}.")
        if action == "rotate":
            answer = rotate(key, DEFAULT_OVERLAP if overlap is None else overlap)
        elif overlap is None:
            answer = revoke(key)
        else:
            raise CommandError(
                "--overlap-seconds only applies to rotate: a revoked key stops working at once."
            )
        lines = [f"{name}: {value}" for name, value in answer.items()]
        self.stdout.write(json.dumps(answer) if as_json else "\n".join(lines))


def revoke(key: ApiKey) -> dict[str, object]:
    revoked_at = revoke_key(key=key).revoked_at
    assert revoked_at is not None
    return {"keyId": key.id, "revokedAt": clock.rfc3339(revoked_at)}


def rotate(key: ApiKey, overlap: timedelta) -> dict[str, object]:
    with as_command_errors():
        secret = rotate_key(key=key, overlap=overlap)
    return {"keyId": key.id, "secret": secret, "overlapSeconds": int(overlap.total_seconds())}


def overlap_seconds(text: str) -> timedelta:
    longest = int(LONGEST_OVERLAP.total_seconds())
    if not (text.isascii() and text.isdigit() and int(text) <= longest):
        raise ArgumentTypeError(f"{text!r} is not a number of seconds from 0 to {longest}")
    return timedelta(seconds=int(text))

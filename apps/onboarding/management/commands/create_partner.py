import json
from argparse import Action, ArgumentError, ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import fields
from typing import Any

from django.core.management.base import BaseCommand

from apps.accounts.models import AccountStatus
from apps.keys.management.commands.key import as_command_errors
from apps.onboarding.partners import Terms, onboard_partner


class Command(BaseCommand):
    help = "Create a partner: an account with money in its wallets, a portal owner, and keys."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--name", required=True)
        parser.add_argument("--currency", required=True, help="ISO 4217, of both wallets")
        parser.add_argument(
            "--balance-cents",
            type=whole_number,
            help="in minor units, in each wallet; default: 10,000.00 in the test wallet only",
        )
        parser.add_argument(
            "--live",
            action="store_true",
            help="also approve and fund the account for live, and issue a live key",
        )
        parser.add_argument("--scopes", type=listed, help="comma-separated; default: all but webhooks:manage")
        parser.add_argument(
            "--allowed-ips", type=listed, default=(), help="comma-separated IPv4 ranges and IP addresses"
        )
        parser.add_argument(
            "--status", default=AccountStatus.ACTIVE, help=f"one of {', '.join(AccountStatus.values)}"
        )
        parser.add_argument(
            "--rate",
            dest="rates",
            type=rates,
            action=Together,
            default={},
            help="calls per minute: SEARCH=120,READ=600",
        )
        parser.add_argument("--search-quota", type=whole_number, help="searches per UTC day")
        parser.add_argument("--json", action="store_true", dest="as_json", help="print one JSON object")

    def handle(self, *args: object, as_json: bool, **options: Any) -> None:
        terms = Terms(**{each.name: options[each.name] for each in fields(Terms) if each.name in options})
        with as_command_errors():
            answer = onboard_partner(terms).as_json()
        lines = [f"{key}: {value}" for key, value in answer.items() if value is not None]
        self.stdout.write(json.dumps(answer) if as_json else "\n".join(lines))


class Together(Action):
    """The option given several times adds up; the same class twice is refused, for only one limit could hold."""

    def __call__(
        self, parser: ArgumentParser, namespace: Namespace, values: Any, option_string: str | None = None
    ) -> None:
        before: dict[str, int] = getattr(namespace, self.dest)
        if twice := sorted(before.keys() & values.keys()):
            raise ArgumentError(self, f"{twice[0]} appears twice")
        setattr(namespace, self.dest, before | values)


def listed(text: str) -> list[str]:
    """`a,b` as a list; an empty text as an empty one."""
    return [entry.strip() for entry in text.split(",")] if text.strip() else []


def rates(text: str) -> dict[str, int]:
    """`SEARCH=120,READ=600` as a mapping. Which classes there are is for the service to say."""
    found: dict[str, int] = {}
    for entry in listed(text):
        rate_class, equals, limit = entry.partition("=")
        if not equals:
            raise ArgumentTypeError(f"{entry!r} is not of the form CLASS=NUMBER")
        if rate_class in found:
            raise ArgumentTypeError(f"{rate_class} appears twice")
        found[rate_class] = whole_number(limit)
    return found


def whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ArgumentTypeError(f"{text!r} is not a whole number of zero or more")
    return int(text)

"""System checks: production settings that `check --deploy` refuses, and without which a live deployment does not start.

`deploy/process` runs those with the tag `live` before it starts a process.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from apps.common.contact import REFERENCE
from apps.common.environments import Environment

LIVE = "live"
TOP_UP_HINT = f"Set it to your bank details in plain text, with {REFERENCE} where the partner's payment reference belongs."
NO_MAIL = {f"django.core.mail.backends.{name}.EmailBackend" for name in ("console", "dummy", "locmem")}
Fault = tuple[str, bool, str, str]
"""Id, whether it is there, message and hint."""


@register(Tags.security, deploy=True)
def refuse_development_settings(**kwargs: Any) -> list[CheckMessage]:
    from_source = settings.STATIC_FROM_SOURCE
    collected = (Path(settings.STATIC_ROOT) / "staticfiles.json").exists()
    return errors(
        [
            (
                "portal.E001",
                not settings.PORTAL_REQUIRE_TWO_FACTOR,
                "PORTAL_REQUIRE_TWO_FACTOR is off: a stolen password is enough to sign in.",
                "Unset it in production.",
            ),
            (
                "portal.E002",
                from_source,
                "STATIC_FROM_SOURCE is on: static files are served uncompressed and looked up on every request.",
                "Unset it in production and run `manage.py collectstatic`.",
            ),
            (
                "portal.E003",
                not from_source and not collected,
                "Static files have not been collected: pages have no styles.",
                "Run `manage.py collectstatic --no-input` with every release.",
            ),
            (
                "portal.E004",
                not settings.PUBLIC_BASE_URL.startswith("https://"),
                "PUBLIC_BASE_URL is not an https address: invitations and examples contain it.",
                "Set it to the address at which partners reach the service.",
            ),
            *(() if serves_live_keys() else contact_faults()),
        ]
    )


@register(LIVE, deploy=True)
def refuse_live_without_contact(**kwargs: Any) -> list[CheckMessage]:
    return errors(contact_faults()) if serves_live_keys() else []


def serves_live_keys() -> bool:
    return bool(settings.GATEWAY_ENVIRONMENT != Environment.TEST)


def contact_faults() -> list[Fault]:
    """How partners are reached, and how they pay. Test keys need mail alone."""
    live, top_up = serves_live_keys(), settings.TOP_UP_INSTRUCTIONS
    return [
        (
            "portal.E005",
            settings.EMAIL_BACKEND in NO_MAIL,
            "EMAIL_URL sends no mail: invitations and password resets would only reach the log.",
            "Set it to a mail server, such as smtp+tls://user:password@host:587.",
        ),
        (
            "portal.E006",
            live and not top_up.strip(),
            "TOP_UP_INSTRUCTIONS is empty: partners with live keys cannot see where to transfer money.",
            TOP_UP_HINT,
        ),
        (
            "portal.E007",
            bool(top_up.strip()) and REFERENCE not in top_up,
            f"TOP_UP_INSTRUCTIONS does not contain {REFERENCE}: you could not tell whose payment arrived.",
            TOP_UP_HINT,
        ),
        (
            "portal.E008",
            live and "@" not in settings.SUPPORT_EMAIL,
            "SUPPORT_EMAIL is not an address: partners with live keys cannot reach you.",
            "Set it to the address that your support team reads.",
        ),
    ]


def errors(faults: list[Fault]) -> list[CheckMessage]:
    return list(_errors(faults))


def _errors(faults: list[Fault]) -> Iterator[CheckMessage]:
    for name, is_wrong, text, hint in faults:
        if is_wrong:
            yield Error(text, hint=hint, id=name)

"""System checks: production settings that `check --deploy` refuses."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

NO_MAIL = {f"django.core.mail.backends.{name}.EmailBackend" for name in ("console", "dummy", "locmem")}


@register(Tags.security, deploy=True)
def demand_two_factor(**kwargs: Any) -> list[CheckMessage]:
    """Only a developer's machine may go without two-factor."""
    if settings.PORTAL_REQUIRE_TWO_FACTOR:
        return []
    return [
        Error(
            "PORTAL_REQUIRE_TWO_FACTOR is off: a stolen password would be enough.",
            hint="Unset it in production.",
            id="portal.E001",
        )
    ]


@register(Tags.staticfiles, deploy=True)
def demand_collected_static_files(**kwargs: Any) -> list[CheckMessage]:
    """Pages link static files by a hash of their content, which `collectstatic` writes down."""
    if settings.STATIC_FROM_SOURCE:
        return [
            Error(
                "STATIC_FROM_SOURCE is on: static files are served uncompressed, and looked up on every request.",
                hint="Unset it in production and run `manage.py collectstatic`.",
                id="portal.E002",
            )
        ]
    if not (Path(settings.STATIC_ROOT) / "staticfiles.json").exists():
        return [
            Error(
                "Static files have not been collected: no page would find its style.",
                hint="Run `manage.py collectstatic --no-input` with every release.",
                id="portal.E003",
            )
        ]
    return []


@register(Tags.urls, deploy=True)
def demand_a_public_address(**kwargs: Any) -> list[CheckMessage]:
    """Links in mails, and the examples that partners copy, begin with PUBLIC_BASE_URL."""
    if settings.PUBLIC_BASE_URL.startswith("https://"):
        return []
    return [
        Error(
            "PUBLIC_BASE_URL is no https address: invitations and examples would lead partners to it.",
            hint="Set it to the address at which partners reach the service.",
            id="portal.E004",
        )
    ]


@register(Tags.security, deploy=True)
def demand_mail(**kwargs: Any) -> list[CheckMessage]:
    """Without mail nobody can be invited. The console backend would write links that open accounts to the log."""
    if settings.EMAIL_BACKEND not in NO_MAIL:
        return []
    return [
        Error(
            "EMAIL_URL sends no mail: links of invitations and passwords would reach the log, and nobody else.",
            hint="Set it to a mail server, such as smtp+tls://user:password@host:587.",
            id="portal.E005",
        )
    ]

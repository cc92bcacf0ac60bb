"""System checks: production settings that `check --deploy` refuses."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from apps.common.contact import REFERENCE
from apps.common.environments import Environment

TOP_UP_HINT = f"Set it to your bank details in plain text, with {REFERENCE} where the partner's payment reference belongs."
NO_MAIL = {f"django.core.mail.backends.{name}.EmailBackend" for name in ("console", "dummy", "locmem")}


@register(Tags.security, deploy=True)
def refuse_development_settings(**kwargs: Any) -> list[CheckMessage]:
    top_up = settings.TOP_UP_INSTRUCTIONS
    from_source = settings.STATIC_FROM_SOURCE
    collected = (Path(settings.STATIC_ROOT) / "staticfiles.json").exists()
    faults = {
        "portal.E001": (
            not settings.PORTAL_REQUIRE_TWO_FACTOR,
            "PORTAL_REQUIRE_TWO_FACTOR is off: a stolen password would be enough.",
            "Unset it in production.",
        ),
        "portal.E002": (
            from_source,
            "STATIC_FROM_SOURCE is on: static files are served uncompressed, and looked up on every request.",
            "Unset it in production and run `manage.py collectstatic`.",
        ),
        "portal.E003": (
            not from_source and not collected,
            "Static files have not been collected: no page would find its style.",
            "Run `manage.py collectstatic --no-input` with every release.",
        ),
        "portal.E004": (
            not settings.PUBLIC_BASE_URL.startswith("https://"),
            "PUBLIC_BASE_URL is no https address: invitations and examples would lead partners to it.",
            "Set it to the address at which partners reach the service.",
        ),
        "portal.E006": (
            settings.GATEWAY_ENVIRONMENT != Environment.TEST and not top_up.strip(),
            "TOP_UP_INSTRUCTIONS is empty: partners with live keys do not learn where to transfer money.",
            TOP_UP_HINT,
        ),
        "portal.E007": (
            bool(top_up.strip()) and REFERENCE not in top_up,
            f"TOP_UP_INSTRUCTIONS lacks {REFERENCE}: whose money arrived is not known.",
            TOP_UP_HINT,
        ),
        "portal.E005": (
            settings.EMAIL_BACKEND in NO_MAIL,
            "EMAIL_URL sends no mail: links of invitations and passwords would reach the log, and nobody else.",
            "Set it to a mail server, such as smtp+tls://user:password@host:587.",
        ),
    }
    return [Error(text, hint=hint, id=name) for name, (is_wrong, text, hint) in faults.items() if is_wrong]

"""Whom partners turn to: the words for texts that say so, as the deployment's settings have them."""

from django.conf import settings


def ask() -> str:
    """For the middle of a sentence: `write to support@example.com`."""
    return (
        f"write to {settings.SUPPORT_EMAIL}"
        if settings.SUPPORT_EMAIL
        else "contact the operator of this service"
    )


def tell() -> str:
    """For the middle of a sentence: `tell us at support@example.com`."""
    return f"contact us at {settings.SUPPORT_EMAIL}" if settings.SUPPORT_EMAIL else "tell us"


REFERENCE = "{reference}"
"""Where the instructions have the account's payment reference."""


def top_up_instructions(reference: str) -> str:
    """How money comes to an account; several lines of plain text. `reference`: what stands on the transfer."""
    return (
        settings.TOP_UP_INSTRUCTIONS.strip().replace(REFERENCE, reference)
        or f"To top up, {ask()}: they name the account to transfer the money to."
    )

"""Whom partners turn to: the words for texts that say so, as the deployment's settings have them."""

from django.conf import settings


def ask() -> str:
    """For the middle of a sentence: `write to support@example.com`."""
    return (
        f"write to {settings.SUPPORT_EMAIL}"
        if settings.SUPPORT_EMAIL
        else "ask the people who run this service"
    )


def tell() -> str:
    """For the middle of a sentence: `tell us at support@example.com`."""
    return f"tell us at {settings.SUPPORT_EMAIL}" if settings.SUPPORT_EMAIL else "tell us"


def top_up_instructions() -> str:
    """How money comes to an account; several lines of plain text."""
    return (
        settings.TOP_UP_INSTRUCTIONS.strip()
        or f"To top up, {ask()}: they tell you where to transfer the money."
    )

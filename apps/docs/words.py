"""The deployment's own words in the documentation, as Markdown."""

from django.conf import settings

from apps.common import contact


def ask() -> str:
    """For the middle of a sentence: whom to write to, with a link where there is an address."""
    address = settings.SUPPORT_EMAIL
    return f"write to [{address}](mailto:{address})" if address else contact.ask()

"""The tokens of whoever runs the service: in `Authorization: Bearer`, as in the settings."""

from django.http import HttpRequest
from django.utils.crypto import constant_time_compare


def has_token(request: HttpRequest, token: str) -> bool:
    """Whether the request carries `token`. Takes as long whatever is sent."""
    scheme, _, sent = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    return scheme.lower() == "bearer" and constant_time_compare(sent.strip(), token)

"""Who has the token of whoever runs the service."""

import pytest
from django.test import RequestFactory

from apps.gateway.authentication import has_token


@pytest.mark.parametrize(
    ("sent", "has"),
    [
        ("Bearer how-are-you", True),
        ("bearer  how-are-you ", True),
        ("Basic how-are-you", False),
        ("how-are-you", False),
        ("Bearer how-are-we", False),
        ("Bearer", False),
        ("", False),
        (None, False),
    ],
)
def test_a_token_is_sent_as_that_of_a_bearer(sent: str | None, has: bool) -> None:
    headers = {} if sent is None else {"Authorization": sent}

    assert has_token(RequestFactory().get("/metrics", headers=headers), "how-are-you") is has

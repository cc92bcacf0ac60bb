"""What the table of errors says about the Idempotency-Key, against the service."""

from collections.abc import Callable
from typing import Never

import pytest
from django.test import Client

from apps.common.errors import GatewayError
from apps.docs import error_pages
from apps.docs.error_pages import PAGES, ErrorPage
from apps.gateway.openapi.components import BY_TYPE
from tests.factories.gateway import api_of_new_partner


@pytest.mark.django_db
@pytest.mark.parametrize("page", [page for page in PAGES if not page.keyless], ids=lambda page: page.type)
def test_a_repeated_call_gets_the_same_answer_only_if_the_table_demands_a_new_key(
    page: ErrorPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operation refuses a call, and works when the call is repeated with its key."""
    secret = api_of_new_partner(cents=0, scopes=["webhooks:manage"]).secret

    def create_endpoint() -> tuple[int, str | None]:
        answer = Client(raise_request_exception=False).post(
            "/v1/webhooks/endpoints",
            {"url": "https://example.com/hooks", "events": ["booking.confirmed"]},
            content_type="application/json",
            headers={"Authorization": f"Bearer {secret}", "Idempotency-Key": "order-4711"},
        )
        return answer.status_code, answer.json().get("error", {}).get("type")

    with monkeypatch.context() as patch:
        patch.setattr("apps.webhooks.views.create_endpoint", refusing_with(BY_TYPE[page.type]))
        refused = create_endpoint()
    assert refused == (page.status, page.type)
    assert create_endpoint() == ((201, None) if page.key == "same" else refused)


def refusing_with(error: GatewayError) -> Callable[..., Never]:
    def refuse(**_named: object) -> Never:
        raise error

    return refuse


def test_the_table_has_every_error_and_answers_that_are_none() -> None:
    rows = [line for line in error_pages.table().splitlines() if line.startswith("| ")][1:]
    assert "".join(rows).count("](") == len(PAGES)
    assert all(what in rows[at] for at, (_, what) in enumerate(error_pages.UNTYPED))
    assert {row.count(" | ") for row in rows} == {3}

"""Endpoints through the API."""

from tests.support.api import Api, Reply

ENDPOINTS = "/v1/webhooks/endpoints"
BODY = {"url": "https://hooks.partner.example/in", "events": ["booking.confirmed", "booking.cancelled"]}


def created(api: Api, **changes: object) -> dict[str, object]:
    reply = api.post(ENDPOINTS, {**BODY, **changes})
    assert reply.status == 201, reply.body
    return dict(reply.body)


def without_secret(body: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in body.items() if name != "secret"}


def fields_named(reply: Reply) -> list[str]:
    assert (reply.status, reply.error_type) == (400, "invalid_request")
    return [detail["field"] for detail in reply.error["details"]]

"""Deliveries as they are often made: one Celery task and one `requests.post` each. The peer, not a straw man.

The same rows, payload, signatures and facts recorded; connections to PostgreSQL kept, as the service's worker does.
"""

import time

import requests
from celery import Celery

app = Celery("naive", set_as_current=False)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_default_queue = "naive"
app.conf.task_routes = {}


@app.task(name="naive.deliver")
def deliver(delivery_id: str) -> None:
    from apps.common import clock
    from apps.webhooks.models import Attempt, Delivery
    from apps.webhooks.signatures import signature_headers

    delivery = Delivery.objects.select_related("event", "endpoint").get(pk=delivery_id)
    attempted_at, began = clock.now(), time.monotonic()
    body = delivery.event.payload.encode()
    headers = {
        "Content-Type": "application/json",
        **signature_headers(
            event_id=delivery.event_id,
            timestamp=int(attempted_at.timestamp()),
            body=body,
            signing_secrets=[delivery.endpoint.secret],
        ),
    }
    answer = requests.post(
        delivery.endpoint.url, data=body, headers=headers, timeout=10, allow_redirects=False
    )
    Attempt.objects.create(
        delivery=delivery,
        endpoint_id=delivery.endpoint_id,
        number=1,
        attempted_at=attempted_at,
        duration_ms=round((time.monotonic() - began) * 1000),
        request_headers=headers,
        status_code=answer.status_code,
        response_body=answer.text[:8192],
    )
    delivery.status, delivery.next_attempt_at = "DELIVERED", None
    delivery.attempt_count, delivery.completed_at = 1, clock.now()
    delivery.save(update_fields=["status", "next_attempt_at", "attempt_count", "completed_at"])

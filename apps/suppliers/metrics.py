"""Suppliers as figures: calls as they end, and the alerts that wait for staff."""

from collections.abc import Iterator

from django.db.models import Count
from prometheus_client import Counter, Histogram

from apps.common.metrics import SECONDS, Reading, Readings, register_readings
from apps.suppliers.alerts.models import SupplierAlert

CALLS = Counter(
    "travel_partner_supplier_calls",
    "HTTP calls to suppliers, by their status or why there is none.",
    ["supplier", "outcome"],
)
CALL_SECONDS = Histogram(
    "travel_partner_supplier_call_seconds",
    "How long suppliers took to answer.",
    ["supplier"],
    buckets=SECONDS,
)
NO_ANSWER, CERTIFICATE_REFUSED = "no answer", "certificate refused"
BREAKER_OPEN, TOO_MANY = "not sent: breaker open", "not sent: too many calls"
TEXTS = {"supplier_alerts": "Alerts that wait for staff: refused credentials, a quota used up, and the like."}


def alerts() -> Iterator[Reading]:
    found = SupplierAlert.objects.filter(cleared_at__isnull=True).values_list("supplier", "kind")
    for supplier, kind, count in found.annotate(Count("pk")):
        yield Reading("supplier_alerts", count, {"supplier": supplier, "kind": kind})


def register() -> None:
    register_readings(Readings(TEXTS, alerts))

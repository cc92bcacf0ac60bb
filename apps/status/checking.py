"""This minute's checks, from what the service records anyway. PostgreSQL answers, or nothing of this is asked."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from apps.common import redis
from apps.gateway import heartbeats, probes
from apps.gateway.periodic.models import TaskRecord
from apps.gateway.periodic.tally import ENOUGH
from apps.status.components import API, BACKGROUND, PRODUCTS, SANDBOX, WEBHOOKS, Component, current
from apps.suppliers.alerts.models import AlertKind, SupplierAlert
from apps.webhooks.health import deliveries_due

LATELY = timedelta(minutes=10)
"""An alert stays open until staff clear it. It counts while it was last met within this time."""
STOPS_SALES = (
    AlertKind.WALLET_EMPTY,
    AlertKind.CREDENTIALS_REFUSED,
    AlertKind.QUOTA_USED_UP,
    AlertKind.EXCHANGE_RATE_OLD,
)
WORKERS = ("worker", "longWorker", "supplierWorker")
Checks = Mapping[tuple[str, str], bool]


def all_checks(now: datetime) -> Checks:
    """Each component's key, and whether it does what it should."""
    troubled = suppliers_in_trouble(now)
    redis_answers = probes.redis_answers()
    general = {
        API: redis_answers,
        SANDBOX: redis_answers,
        WEBHOOKS: deliveries_due()["status"] == "ok",
        BACKGROUND: redis_answers and workers_live(),
    }
    return {each.key: _well(each, general, troubled) for each in current()}


def _well(component: Component, general: Mapping[str, bool], troubled: frozenset[str]) -> bool:
    if component.name in PRODUCTS:
        return general[API] and component.supplier not in troubled
    return general[component.name]


def suppliers_in_trouble(now: datetime) -> frozenset[str]:
    """Those that refused us as a whole lately, and those that no periodic task reached in two runs."""
    alerts = SupplierAlert.objects.filter(
        cleared_at__isnull=True, kind__in=STOPS_SALES, last_at__gte=now - LATELY
    )
    records: Any = TaskRecord.objects.exclude(failing={}).values_list("failing", flat=True)
    silent = {whom for failing in records for whom, times in failing.items() if whom and times >= ENOUGH}
    return frozenset({*alerts.values_list("supplier", flat=True), *silent})


def workers_live() -> bool:
    """Whether sweeps are carried out: the short ones, those that take long (settlements), and those that ask suppliers."""
    try:
        return all(heartbeats.part(who)()["status"] == "ok" for who in WORKERS)
    except redis.RedisUnavailable:
        return False

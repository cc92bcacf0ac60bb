"""The service with weak points in a search: once its unit of the quota is taken, and before it is billed."""

from tests.chaos.app import application, weaken

POINTS = {
    "unit taken": ("apps.gateway.idempotency", "claim", "after"),
    "about to bill": ("apps.gateway.settlement", "bill_and_answer", "before"),
}

for _point, _place in POINTS.items():
    weaken(_point, *_place)

__all__ = ["POINTS", "application"]

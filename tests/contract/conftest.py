import pytest

from apps.esim.suppliers.base import SupplierPlan
from apps.esim.suppliers.simulator import catalogue

FEW = 40


@pytest.fixture(autouse=True)
def few_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test that needs a plan has the whole catalogue written first, for itself alone."""
    few: dict[str, SupplierPlan] = dict(list(catalogue.plans().items())[:FEW])
    monkeypatch.setattr(catalogue, "plans", lambda: few)

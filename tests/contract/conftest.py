import pytest

from apps.esim.suppliers.base import SupplierPlan
from apps.esim.suppliers.simulator import catalogue

FEW = 40


@pytest.fixture(scope="session")
def few() -> dict[str, SupplierPlan]:
    return dict(list(catalogue.plans().items())[:FEW])


@pytest.fixture(autouse=True)
def few_plans(few: dict[str, SupplierPlan], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test that needs a plan has the whole catalogue written first, for itself alone."""
    monkeypatch.setattr(catalogue, "plans", lambda: few)

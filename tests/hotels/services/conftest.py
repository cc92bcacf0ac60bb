import pytest

from apps.hotels.suppliers import registry
from apps.suppliers.vendors import Vendor
from tests.hotels.suppliers.scripted import ScriptedHotels


@pytest.fixture
def supplier(db: None, monkeypatch: pytest.MonkeyPatch) -> ScriptedHotels:
    """The supplier, which does as told."""
    scripted = ScriptedHotels()
    monkeypatch.setitem(registry.VENDORS, "simulator", Vendor("simulator", lambda: scripted))
    return scripted

"""openapi-python-client: generates without a warning, every module imports, and a search is read and booked."""

import importlib
import pkgutil
import subprocess
import sys
import uuid
from collections.abc import Iterator
from datetime import date, timedelta
from types import ModuleType
from typing import Any

import pytest
import urllib3

from tests.support.own_service import Service

pytestmark = pytest.mark.slow

PACKAGE = "partner_client"


@pytest.fixture(scope="module")
def generated(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    place = tmp_path_factory.mktemp("client")
    (place / "openapi.json").write_bytes(urllib3.request("GET", f"{service.url}/v1/openapi.json").data)
    (place / "config.json").write_text('{"post_hooks": []}')
    words = ["-m", "openapi_python_client", "generate", "--meta", "none", "--fail-on-warning"]
    paths = ["--path", "openapi.json", "--output-path", PACKAGE, "--config", "config.json"]
    done = subprocess.run([sys.executable, *words, *paths], cwd=place, capture_output=True, text=True)
    assert (done.returncode, "WARNING" in done.stdout + done.stderr) == (0, False), done.stdout + done.stderr
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(place)
        yield importlib.import_module(PACKAGE)


def call(generated: ModuleType, service: Service, operation: str, *ids: str, **arguments: Any) -> Any:
    if "body" in arguments:
        arguments["idempotency_key"] = str(uuid.uuid4())
    client = generated.AuthenticatedClient(base_url=service.url, token=service.secret)
    module = importlib.import_module(f"{PACKAGE}.api.{operation}")
    return module.sync(*ids, client=client, **arguments)


def test_every_module_imports(generated: ModuleType) -> None:
    modules = [module.name for module in pkgutil.walk_packages(generated.__path__, f"{PACKAGE}.")]
    assert len(modules) > 100
    for name in modules:
        importlib.import_module(name)


def test_it_books_a_hotel(generated: ModuleType, service: Service) -> None:
    models = importlib.import_module(f"{PACKAGE}.models")
    day = date.today() + timedelta(days=60)
    stay = models.HotelSearchRequest(check_in=day, check_out=day + timedelta(days=2))
    rate = call(generated, service, "hotels.search_hotels", body=stay).hotels[0].rates[0]
    booking = models.HotelBookingRequest(
        rate_id=rate.rate_id,
        guests=[
            models.HotelGuestInput(
                first_name="Ada", last_name="Byron", type_=models.HotelGuestInputType.ADULT
            )
        ],
        contact=models.ContactInput(email="ada@example.com", phone="+351210000000"),
    )

    booked = call(generated, service, "hotels.create_hotel_booking", body=booking)
    assert (booked.status, booked.total_cents) == ("confirmed", rate.total_cents)


def test_it_reads_an_error(generated: ModuleType, service: Service) -> None:
    error = call(generated, service, "hotels.get_hotel_booking", "hbk_unknown").error
    assert error.type_ == "not_found"

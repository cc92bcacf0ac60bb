"""The evidence pack of a booking: whole, checkable, and without what the request log withholds."""

import hashlib
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import AccountAuditEntry, StaffLook
from apps.bookings.models import Booking
from apps.bookings.travellers.rest import opened as opened_details
from apps.common import clock
from apps.portal.bookings.evidence import pack
from apps.webhooks.models import Attempt, Delivery, Event
from tests.contract.goods import Goods
from tests.factories.gateway import api_of_new_partner
from tests.factories.webhooks import EndpointFactory
from tests.portal.sample_data.requests import write_down
from tests.support.back_office import Desk
from tests.support.flight_shop import FlightShop

pytestmark = pytest.mark.django_db
LIST = "/portal/test/bookings/"
FILES = [
    "README.txt",
    "verify.py",
    "booking.json",
    "story.txt",
    "requests.json",
    "ledger.json",
    "events.json",
    "deliveries.json",
    "manifest.json",
]


@pytest.fixture
def api(account):
    return api_of_new_partner(account=account, cents=50_000_000)


def download(portal, booking_id: str) -> bytes:
    answer = portal.get(f"{LIST}{booking_id}/evidence.zip")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    return b"".join(answer.streaming_content)


def opened(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as zip_file:
        assert zip_file.testzip() is None
        return {name.partition("/")[2]: zip_file.read(name) for name in zip_file.namelist()}


def verified(place: Path) -> tuple[int, str]:
    """The script as its reader runs it: another Python, without our code."""
    script = Path(pack.VERIFY)
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(script), str(place)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


@pytest.fixture
def cancelled(account, api) -> dict[str, object]:
    """A cancelled flight with two endpoints, and an attempt that an endpoint answered with a traveller's name."""
    EndpointFactory(account=account, events=["booking.confirmed", "booking.cancelled"])
    EndpointFactory(account=account, events=["booking.cancelled"])
    shop = FlightShop(api)
    order = shop.order(shop.offer(), externalReference="Lovelace-honeymoon").body
    shop.cancel(order["id"], reason="Ada Lovelace fell ill")
    shop.read(order["id"])
    delivery = Delivery.objects.filter(event__booking_id=order["id"]).first()
    assert delivery is not None
    Attempt.objects.create(
        delivery=delivery,
        number=1,
        attempted_at=clock.now(),
        duration_ms=7,
        status_code=500,
        error="answered 500",
        request_headers={"X-Service-Signature": "t=1,v1=abc"},
        response_body="no such traveller: Ada Lovelace",
    )
    write_down()
    return order


def test_it_has_all_that_is_stored_of_the_booking(portal, cancelled):
    files = opened(download(portal, cancelled["id"]))
    assert list(files) == FILES
    read = {name: json.loads(content) for name, content in files.items() if name.endswith(".json")}
    assert (read["booking.json"]["id"], read["booking.json"]["status"]) == (cancelled["id"], "cancelled")
    assert [call["operation"] for call in read["requests.json"]] == [
        "getFlightOrder",
        "cancelFlightOrder",
        "createFlightOrder",
    ]
    assert read["requests.json"][1]["checks"][0]["name"] == "bearer_key"
    assert [line["type"] for line in read["ledger.json"]] == ["hold", "capture", "refund"]
    types = ["booking.confirmed", "booking.cancelled", "payment.refunded"]
    assert [event["type"] for event in read["events.json"]] == types
    sent = {event.pk: hashlib.sha256(event.payload.encode()).hexdigest() for event in Event.objects.all()}
    assert {event["id"]: event["payloadSha256"] for event in read["events.json"]} == sent
    assert len(read["deliveries.json"]) == 3
    [attempt] = [each for delivery in read["deliveries.json"] for each in delivery["attempts"]]
    assert (attempt["statusCode"], attempt["error"]) == (500, "answered 500")
    story = files["story.txt"].decode()
    assert story.startswith(f"{cancelled['reference']}, cancelled\n")
    assert [word in story for word in ("Asked to cancel", "held", "refunded", "Event booking.cancelled")] == [
        True
    ] * 4
    assert read["manifest.json"]["booking"] == cancelled["id"]


def test_the_script_confirms_it_zipped_and_unpacked(portal, cancelled, tmp_path):
    content = download(portal, cancelled["id"])
    packed = tmp_path / "evidence.zip"
    packed.write_bytes(content)
    manifest = hashlib.sha256(opened(content)["manifest.json"]).hexdigest()
    told = f"8 files are as they were written\nSHA-256 of manifest.json: {manifest}\n"
    assert verified(packed) == (0, told)
    with zipfile.ZipFile(packed) as zip_file:
        zip_file.extractall(tmp_path)
    folder = tmp_path / f"evidence-{cancelled['reference']}"
    own = subprocess.run(
        [sys.executable, "-I", "-S", str(folder / "verify.py")], capture_output=True, text=True, check=False
    )
    assert (own.returncode, own.stdout) == (0, told)


@pytest.mark.parametrize("name", [name for name in FILES if name != "manifest.json"])
def test_the_script_notices_every_file_that_was_altered_or_taken_away(portal, account, api, tmp_path, name):
    order = FlightShop(api).ordered()
    write_down()
    files = opened(download(portal, order["id"]))
    for file, content in files.items():
        (tmp_path / file).write_bytes(content)
    assert verified(tmp_path)[0] == 0
    (tmp_path / name).write_bytes(files[name] + b" ")
    assert verified(tmp_path) == (1, f"{name} was altered\n")
    (tmp_path / name).unlink()
    assert verified(tmp_path) == (1, f"{name} is missing\n")


def test_the_script_notices_what_was_added_and_a_pack_that_is_none(portal, api, tmp_path):
    order = FlightShop(api).ordered()
    for file, content in opened(download(portal, order["id"])).items():
        (tmp_path / file).write_bytes(content)
    (tmp_path / "invoice.json").write_bytes(b"{}")
    assert verified(tmp_path) == (1, "invoice.json is not in the manifest\n")
    (tmp_path / "manifest.json").write_bytes(b"[]")
    assert verified(tmp_path) == (1, "manifest.json cannot be read\n")
    (tmp_path / "manifest.json").unlink()
    assert verified(tmp_path) == (1, "manifest.json is missing\n")
    assert verified(tmp_path / "invoice.json")[0] == 2
    assert verified(tmp_path / "nowhere")[0] == 2


def test_no_traveller_no_secret_and_no_free_text_is_in_it(portal, account, api, cancelled):
    stored = json.dumps(opened_details(Booking.objects.get(pk=cancelled["id"])))
    assert ["Lovelace" in stored, "ada@example.com" in stored] == [True, True], "There is something to leak"
    assert "Lovelace-honeymoon" in Event.objects.filter(type="booking.confirmed").get().payload
    whole = b"\n".join(opened(download(portal, cancelled["id"])).values()).decode()
    hidden = [
        "Lovelace",
        "Ada",
        "ada@example.com",
        "+351210000000",
        "1990-12-10",
        "fell ill",
        "no such traveller",
    ]
    hidden += [api.secret, cancelled["pnr"], "X-Service-Signature", "v1=abc", "hooks.partner.example"]
    assert [text for text in hidden if text in whole] == []


@pytest.mark.parametrize("product", ["hotel_booking", "transfer_order", "esim_order"])
def test_each_product_has_a_pack(portal, api, product, tmp_path):
    booking = getattr(Goods(api), product)
    (tmp_path / "evidence.zip").write_bytes(download(portal, booking["id"]))
    assert verified(tmp_path / "evidence.zip")[0] == 0
    told = json.loads(opened((tmp_path / "evidence.zip").read_bytes())["booking.json"])
    assert (told["reference"], told["totalCents"]) == (booking["reference"], booking["totalCents"])


def test_it_is_sent_in_parts_and_its_queries_do_not_grow_with_the_deliveries(
    portal, account, api, monkeypatch
):
    monkeypatch.setattr(pack, "PAGE", 2)
    for _ in range(4):
        EndpointFactory(account=account, events=["booking.confirmed"])
    order = FlightShop(api).ordered()
    for _ in range(4):
        api.get(f"/v1/flights/orders/{order['id']}")
    write_down()
    with CaptureQueriesContext(connection) as before:
        answer = portal.get(f"{LIST}{order['id']}/evidence.zip")
    with CaptureQueriesContext(connection) as during:
        parts = list(answer.streaming_content)
    assert len(before) <= 15
    asked = [query["sql"] for query in during if "gateway_loggedcall" in query["sql"]]
    assert len(asked) == 3, "Five calls, two a page, read while the rest is sent already"
    assert len(during) <= 3 + 3
    assert len(parts) > len(FILES)
    assert len(json.loads(opened(b"".join(parts))["requests.json"])) == 5


def test_who_downloaded_it_is_in_the_trail(portal_as, api):
    order = FlightShop(api).ordered()
    viewer = portal_as("viewer")
    assert b"evidence.zip" in viewer.get(f"{LIST}{order['id']}/").content
    download(viewer, order["id"])
    entry = AccountAuditEntry.objects.get(action="bookings.evidence")
    assert (entry.actor, entry.subject_id) == (viewer.user, order["id"])


def test_our_staff_who_visit_download_it_and_their_own_log_has_it(account, api):
    order = FlightShop(api).ordered()
    desk = Desk("accounts.view_account", "accounts.read_partner_portals")
    desk.post(f"/admin/read-portal/{account.pk}/", {"reason": "Ticket 4711: where is the refund?"})
    path = f"{LIST}{order['id']}/evidence.zip"
    answer: Any = desk.get(path)
    assert (answer.status_code, list(opened(b"".join(answer.streaming_content)))) == (200, FILES)
    assert StaffLook.objects.filter(person=desk.user, look="read", what=path).count() == 1
    assert AccountAuditEntry.objects.filter(action="bookings.evidence").count() == 0


def test_bookings_of_others_are_as_unknown_as_what_never_was(portal, api):
    foreign = FlightShop(api_of_new_partner(cents=5_000_000)).ordered()
    own = FlightShop(api).ordered()
    paths = [f"{LIST}{foreign['id']}/", f"/portal/live/bookings/{own['id']}/", f"{LIST}ford_none/"]
    assert [portal.get(f"{path}evidence.zip").status_code for path in paths] == [404] * 3
    assert portal.post(f"{LIST}{own['id']}/evidence.zip").status_code == 405
    assert AccountAuditEntry.objects.filter(action="bookings.evidence").count() == 0

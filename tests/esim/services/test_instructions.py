"""How an eSIM is installed: asked for once, and kept."""

from typing import Any
from urllib.parse import quote

import pytest

from apps.esim.models import KeptInstructions, KeptTranslation, Plan
from apps.esim.suppliers.base import Instructions
from apps.esim.suppliers.simulator.instructions import LANGUAGES, instructions_in
from apps.suppliers.errors import Rejected, SupplierError, Unavailable
from tests.esim.shop import Shop, an_order
from tests.support.api import Api, Reply


class Helper(Shop):
    """Counts how often it is asked how to install; an error is raised."""

    error: SupplierError | None = None
    times = 0

    def instructions(self, supplier_reference: str, iccid: str, language: str = "en") -> Instructions:
        self.times += 1
        if self.error is not None:
            raise self.error
        return super().instructions(supplier_reference, iccid, language)


@pytest.fixture
def helper(order: dict[str, Any], supplier_is) -> Helper:
    helper = Helper()
    supplier_is(helper)
    return helper


def instructions(api: Api, order: dict[str, Any], language: str | None = None) -> Reply:
    query = "" if language is None else f"?language={quote(language)}"
    return api.get(f"/v1/esim/orders/{order['id']}/instructions{query}")


def test_they_tell_each_kind_of_device_step_by_step(api: Api, order: dict[str, Any]) -> None:
    body = instructions(api, order).body
    assert (body["orderId"], body["iccid"], body["language"]) == (order["id"], order["iccid"], "en")
    assert body["activation"] == order["activation"]
    assert "*#06#" in body["deviceNote"]
    assert [guide["platform"] for guide in body["guides"]] == ["ios", "ios", "android"]
    assert all(len(guide["qrCodeSteps"]) > 1 and guide["manualSteps"] for guide in body["guides"])


def test_the_supplier_is_asked_once_a_week(api: Api, order, helper: Helper, move_clock) -> None:
    first = instructions(api, order).body
    move_clock(days=6, hours=23)
    assert instructions(api, order).body == first
    assert helper.times == 1
    move_clock(hours=2)
    assert instructions(api, order).body == first
    assert helper.times == 2


def test_older_ones_do_while_it_is_silent(api: Api, order, helper: Helper, move_clock) -> None:
    first = instructions(api, order).body
    helper.error = Unavailable("no answer")
    move_clock(days=8)
    assert instructions(api, order).body == first
    assert helper.times == 2


@pytest.mark.parametrize(
    ("error", "status"), [(Unavailable("no answer"), 503), (Rejected("no"), 502)], ids=["silent", "refused"]
)
def test_without_older_ones_it_is_told(api, order, helper, error, status):
    helper.error = error
    assert instructions(api, order).status == status
    assert KeptInstructions.objects.count() == 0
    helper.error = None
    assert instructions(api, order).status == 200


def test_an_order_without_a_profile_has_none(api: Api, late_plan: Plan) -> None:
    reply = instructions(api, an_order(api, late_plan))
    assert (reply.status, reply.error_type) == (409, "conflict")


@pytest.mark.parametrize(
    ("asked", "answered", "begins"),
    [
        ("en", "en", "Open the installation link"),
        ("de", "de", "Öffnen Sie"),
        ("FR", "fr", "Ouvrez"),
        ("es-MX", "es", "Abra"),
        ("pt_BR", "pt", "Abra a ligação"),
        ("it-IT-x-own", "it", "Aprire"),
        ("tlh", "en", "Open the installation link"),
        ("", "en", "Open the installation link"),
        ("\U0001f600" * 300, "en", "Open the installation link"),
    ],
)
def test_they_are_in_the_language_asked_for_or_in_english(api, order, asked, answered, begins):
    body = instructions(api, order, asked).body
    assert body["language"] == answered
    assert body["guides"][0]["qrCodeSteps"][0].startswith(begins)


def test_each_language_is_asked_for_once_a_week(api: Api, order, helper: Helper, move_clock) -> None:
    tags = ["de", "de-AT", "fr", "en", "tlh"]
    first = [instructions(api, order, tag).body for tag in tags]
    assert [instructions(api, order, tag).body for tag in tags] == first
    assert helper.times == 3
    assert KeptTranslation.objects.count() == 2
    move_clock(days=8)
    helper.error = Unavailable("no answer")
    assert [instructions(api, order, tag).body for tag in tags] == first
    assert instructions(api, order, "it").status == 503


def test_every_language_says_all_that_english_says() -> None:
    shapes = {
        tuple(
            (guide.platform, len(guide.qr_code_steps), len(guide.manual_steps), len(guide.network_steps))
            for guide in instructions_in(language).guides
        )
        for language in LANGUAGES
    }
    assert len(LANGUAGES) == 6
    assert len(shapes) == 1


def test_an_address_installs_the_esim_on_android_unless_it_is_switched_off(api, order, settings) -> None:
    lpa = order["activation"]["lpa"]
    assert order["activation"]["androidInstallUrl"] == (
        f"https://esimsetup.android.com/esim_qrcode_provisioning?carddata={quote(lpa, safe='')}"
    )
    settings.ESIM_ANDROID_LINKS = False
    assert instructions(api, order).body["activation"]["androidInstallUrl"] is None

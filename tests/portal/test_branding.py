"""What documents show of an account: who sets it, what is refused, and that documents have it."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import AccountAuditEntry, Branding, Role
from apps.documents import pdf as setting
from apps.documents.html import policy
from apps.documents.making import seller_of
from apps.portal.uploads import BoundedUpload
from tests.factories.accounts import AccountFactory
from tests.portal.person import Person, member_of
from tests.support.pictures import drawn, file_of, opened, png_bomb

PAGE, LOGO, REMOVE = "/portal/branding/", "/portal/branding/logo/", "/portal/branding/logo/remove/"
FULL = {
    "name": "Aurora Voyages & Söhne",
    "address": "1 Rua da Prata\r\n\r\n 1100-000 Lisbon ",
    "phone": "+351 21 000 0000",
    "emergency_phone": "+351 (91) 000-00.00",
    "email": "desk@aurora.example",
    "website": "https://www.aurora.example/travel/",
}
STORED = {**FULL, "address": "1 Rua da Prata\n1100-000 Lisbon"}


def upload(person: Person, content: bytes, name: str = "logo.png") -> Any:
    return person.client.post(LOGO, {"logo": SimpleUploadedFile(name, content, "image/png")})


def stored(person: Person) -> dict[str, Any]:
    return Branding.objects.filter(pk=person.account.pk).values(*FULL).get()


def entries(person: Person) -> list[dict[str, Any]]:
    found = AccountAuditEntry.objects.filter(account=person.account, action="account.branding_changed")
    return list(found.order_by("created_at", "id").values_list("details", flat=True))


def errors_of(answer: Any) -> list[str]:
    return re.findall(r'<p class="error"[^>]*>.*?<span>(.*?)</span>', answer.content.decode())


# --- The texts ------------------------------------------------------------------------------------------------------------
def test_texts_are_stored_and_each_change_is_audited(portal: Person) -> None:
    assert portal.post(PAGE, FULL)["Location"] == PAGE
    assert stored(portal) == STORED
    portal.post(PAGE, FULL)
    portal.post(PAGE, {**FULL, "emergency_phone": "", "name": "Aurora"})
    assert entries(portal) == [
        {"changes": {name: ["", value] for name, value in STORED.items()}},
        {"changes": {"name": [FULL["name"], "Aurora"], "emergency_phone": [FULL["emergency_phone"], ""]}},
    ]
    trail = portal.get("/portal/audit/").content.decode()
    assert "changed what documents show of the account" in trail
    assert "name “Aurora Voyages &amp; Söhne” → “Aurora”" in trail
    assert 'value="Aurora"' in portal.get(PAGE).content.decode()


REFUSED = [
    *((name, "\x07x", "") for name in FULL),
    ("name", "A\u202eB", "must have printable characters only, in one line"),
    ("name", "x" * 121, "must have at most 120 characters"),
    ("address", "x" * 61, "must have lines of at most 60 characters"),
    ("address", "1\n2\n3\n4\n5\n6", "must have at most 5 lines"),
    ("address", ("x" * 59 + "\n") * 4, "must have at most 200 characters"),
    ("phone", "call me", "must be a phone number such as +351 21 000 0000"),
    ("phone", "1234", "must be a phone number such as +351 21 000 0000"),
    ("phone", "+1234567890123456", "must be a phone number such as +351 21 000 0000"),
    ("phone", "٠١٢٣٤٥٦", "must be a phone number such as +351 21 000 0000"),
    ("emergency_phone", "+351 <b>", "must be a phone number such as +351 21 000 0000"),
    ("email", "desk@localhost", "must be an e-mail address"),
    ("email", "desk", "must be an e-mail address"),
    *(
        ("website", address, "must be an https address such as https://www.example.com")
        for address in (
            *("http://aurora.example", "aurora.example", "javascript:alert(1)", "https://", "https://a"),
            *(
                "https://me:you@aurora.example",
                "https://[::1",
                "https://aurora.example/a b",
                "https://1.2.3.4",
            ),
        )
    ),
    ("website", "https://aurora.example/" + "a" * 100, "must have at most 100 characters"),
]


@pytest.mark.parametrize(("name", "value", "why"), REFUSED)
def test_what_cannot_be_printed_or_reached_is_refused_at_its_field(
    portal: Person, name: str, value: str, why: str
) -> None:
    answer = portal.post(PAGE, {**FULL, name: value})
    assert answer.status_code == 400
    assert len(errors_of(answer)) == 1
    assert why in answer.content.decode()
    assert not Branding.objects.exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", "شركة الفجر للسفر"),
        ("name", "مسافرت\u200cها"),
        ("name", '<b>Aurora</b> & {{ x }} #panic("no")'),
        ("phone", "112 00"),
        ("website", "https://münchen.example:8443/?a=b#c"),
        ("website", "https://xn--mnchen-3ya.example"),
    ],
)
def test_any_script_and_any_text_is_a_name(portal: Person, name: str, value: str) -> None:
    assert portal.post(PAGE, {name: value}).status_code == 302
    assert stored(portal)[name] == value


def test_characters_that_pdfs_have_no_letters_for_are_named(portal: Person) -> None:
    page = portal.post(PAGE, {"name": "Aurora 𓀀"}, follow=True).content.decode()
    assert "PDFs have no letters for 𓀀 and show boxes instead." in page


# --- Who ------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("role", Role.values)
def test_owners_and_developers_change_it_and_the_others_read_it(portal: Person, role: str) -> None:
    portal.post(PAGE, FULL)
    upload(portal, file_of(drawn()))
    member, may = member_of(portal.account, role), role in {Role.OWNER, Role.DEVELOPER}
    page = member.get(PAGE).content.decode()
    assert ('name="website"' in page, 'name="logo"' in page) == (may, may)
    assert "desk@aurora.example" in page
    asked = [(PAGE, {"name": "X"}), (LOGO, {}), (REMOVE, {})]
    assert [member.post(path, data).status_code for path, data in asked] == (
        [302, 400, 302] if may else [403, 403, 403]
    )
    for path in ("sample.html", "sample.pdf"):
        assert member.get(f"{PAGE}{path}").status_code == 200


def test_it_is_that_of_the_account_alone(portal: Person) -> None:
    upload(portal, file_of(drawn()))
    portal.post(PAGE, FULL)
    stranger = member_of(AccountFactory(name="Borealis Tours"), Role.OWNER)
    assert stranger.get(f"{PAGE}logo.png").status_code == 404
    assert "Aurora" not in stranger.get(PAGE).content.decode()
    assert "Borealis Tours" in stranger.get(f"{PAGE}sample.html").content.decode()


def test_a_sandbox_has_that_of_its_partner(portal: Person) -> None:
    portal.post(PAGE, FULL)
    apart = AccountFactory(name="Aurora Travel (Two)", sandbox_of=portal.account)
    assert seller_of(apart) == seller_of(portal.account)
    assert seller_of(apart).lines == (
        *("1 Rua da Prata, 1100-000 Lisbon", "+351 21 000 0000"),
        *("desk@aurora.example", "www.aurora.example/travel"),
    )


# --- The logo -------------------------------------------------------------------------------------------------------------
def test_a_logo_is_uploaded_shown_replaced_and_removed(portal: Person) -> None:
    assert portal.get(f"{PAGE}logo.png").status_code == 404
    assert upload(portal, file_of(drawn(size=(3_000, 600)), "JPEG"), "photo.exe")["Location"] == PAGE
    shown = portal.get(f"{PAGE}logo.png")
    assert (shown["Content-Type"], opened(shown.content).size) == ("image/png", (600, 120))
    assert 'src="/portal/branding/logo.png"' in portal.get(PAGE).content.decode()
    upload(portal, file_of(drawn(size=(3_000, 600)), "JPEG"))  # the same again
    upload(portal, file_of(drawn("RGBA")))
    portal.post(REMOVE)
    portal.post(REMOVE)
    assert portal.get(f"{PAGE}logo.png").status_code == 404
    assert entries(portal) == [{"logo": "added"}, {"logo": "replaced"}, {"logo": "removed"}]
    assert "logo replaced" in portal.get("/portal/audit/").content.decode()
    assert (portal.get(LOGO)["Location"], portal.get(REMOVE)["Location"]) == (PAGE, PAGE)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "This field is required."),
        (b"", "The file is empty."),
        (b"I am a text", "This is not a PNG, JPEG or WebP image."),
        (
            b"<svg onload=alert(1)>",
            "SVG is not accepted, because it may contain scripts. Export the logo as PNG.",
        ),
        (png_bomb(), "The image has more than 8,000,000 pixels: 600 × 240 are enough."),
        (bytes(5_000_000), "The file is larger than 2 MiB."),
    ],
    ids=["no file", "empty", "png by name", "svg", "bomb", "large"],
)
def test_a_file_that_is_no_logo_is_refused_at_its_field(
    portal: Person, content: bytes | None, why: str
) -> None:
    answer = portal.post(LOGO) if content is None else upload(portal, content)
    assert (answer.status_code, errors_of(answer)) == (400, [why])
    assert "Error:" in answer.content.decode()
    assert not Branding.objects.exists()


def test_of_a_large_upload_little_is_kept_and_several_files_are_none(portal: Person) -> None:
    handler, chunk = BoundedUpload(), bytes(2**16)
    handler.new_file("logo", "logo.png", "image/png", None)
    for start in range(0, 8_000_000, len(chunk)):
        handler.receive_data_chunk(chunk, start)
    file = handler.file_complete(8_000_000)
    assert (file.size, len(file.read()) < 2_300_000) == (8_000_000, True)
    two = {"logo": [SimpleUploadedFile(f"{n}.png", file_of(drawn())) for n in range(2)]}
    assert portal.client.post(LOGO, two).status_code == 400
    assert not Branding.objects.exists()


def test_a_logo_is_not_sent_from_another_site(portal: Person) -> None:
    portal.client.handler.enforce_csrf_checks = True
    assert upload(portal, file_of(drawn())).status_code == 403
    assert not Branding.objects.exists()


# --- The sample -----------------------------------------------------------------------------------------------------------
def test_the_sample_shows_it_and_says_that_it_is_one(portal: Person) -> None:
    portal.post(PAGE, {**FULL, "name": '<b>Aurora</b> & {{ x }} #panic("no")'})
    upload(portal, file_of(drawn()))
    page = portal.get(f"{PAGE}sample.html")
    text = page.content.decode()
    assert page["Content-Security-Policy"] == policy()
    assert "img-src data:" in policy()
    assert "SAMPLE, not valid for travel" in text
    assert 'src="data:image/png;base64,' in text
    assert text.count("&lt;b&gt;Aurora&lt;/b&gt; &amp; {{ x }} #panic(&quot;no&quot;)") == 3
    assert "<dt>Emergency phone</dt><dd>+351 (91) 000-00.00</dd>" in text
    assert [text.count(line) for line in seller_of(portal.account).lines] == [1, 1, 1, 1]
    file = portal.get(f"{PAGE}sample.pdf")
    assert (file["Content-Type"], file.content[:5]) == ("application/pdf", b"%PDF-")
    assert file["Content-Disposition"] == 'inline; filename="sample-voucher.pdf"'
    assert b"/Subtype /Image" in file.content or b"/Subtype/Image" in file.content


def test_without_branding_the_sample_is_in_the_name_of_the_account(portal: Person) -> None:
    text = portal.get(f"{PAGE}sample.html").content.decode()
    assert '<p class="seller">Aurora Travel</p>' in text
    assert ("<img" in text, "Emergency phone" in text) == (False, False)


def test_a_process_that_makes_enough_documents_says_so(
    portal: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setting, "LONGEST_WAIT", 0.01)
    with setting._setting:
        page = portal.client.get(f"{PAGE}sample.pdf", follow=True)
    assert page.redirect_chain == [(PAGE, 302)]
    assert "Too many documents are made at the same time." in page.content.decode()

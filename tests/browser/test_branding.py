"""A logo, chosen and uploaded in a browser, and the sample that shows it."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visitor
from tests.portal.person import Person
from tests.support.pictures import drawn, file_of, noisy, png_bomb

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_logo_is_refused_uploaded_looked_at_and_removed(
    visitor: Visitor, owner: Person, tmp_path: Path
) -> None:
    page = visitor.page
    visitor.carry_session_of(owner)
    visitor.goto("/portal/branding/")

    def choose(name: str, content: bytes) -> None:
        (tmp_path / name).write_bytes(content)
        page.get_by_label("Logo file").set_input_files(tmp_path / name)
        page.get_by_role("button", name="Upload").click()

    for name, content, why in (
        ("bomb.png", png_bomb(), "The image has more than 8,000,000 pixels"),
        ("large.png", file_of(noisy((1_000, 1_000))), "The file is larger than 2 MiB."),
        ("logo.svg", b"<svg onload=alert(1)>", "SVG is not accepted"),
    ):
        choose(name, content)
        expect(page.get_by_role("alert")).to_contain_text(why)
    assert visitor.unfit() == []

    page.get_by_label("Emergency phone").fill("+351 910 000 000")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    choose("logo.jpeg", file_of(drawn(size=(2_000, 500)), "JPEG"))
    logo = page.get_by_alt_text("The logo, as documents show it")
    expect(logo).to_be_visible()
    assert logo.evaluate("image => image.naturalWidth") == 600
    assert visitor.unfit() == []

    with page.expect_popup() as opened:
        page.get_by_role("link", name="Sample page").click()
    sample = opened.value
    sample.on("console", visitor._listen)
    sample.reload()
    expect(sample.get_by_text("+351 910 000 000")).to_be_visible()
    assert sample.get_by_alt_text("Aurora Travel").evaluate("image => image.naturalWidth") == 600
    sample.close()

    page.get_by_role("button", name="Remove the logo").click()
    expect(logo).not_to_be_visible()
    refused = [line for line in visitor.complaints if "400 (Bad Request)" not in line]
    assert refused == []

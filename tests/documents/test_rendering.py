"""One object, two renderings: nothing in its texts is markup, each script has a face, and a process sets one at a time."""

import logging
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from apps.common.errors import RateLimitExceeded
from apps.documents import pdf as setting
from apps.documents.asked import Form
from apps.documents.data import Code, Document, Point, Row, Section, Seller, Span, filled, table
from apps.documents.faces import without_face
from apps.documents.html import html, policy, style
from apps.documents.making import file_of
from apps.documents.pdf import MOST_AT_ONCE, compiler, pdf
from apps.documents.words import LABELS, MONTHS, WEEKDAYS
from apps.esim.qr import qr_svg

SCRIPTS = {
    "Latin": "Ångström Łukasz Đặng Şahin Ñandú",
    "Greek": "Γιώργος Παπαδόπουλος",
    "Cyrillic": "Наталья Соловьёва Їжак",
    "Armenian": "Արամ Խաչատրյան",
    "Georgian": "გიორგი ბერიძე",
    "Arabic": "محمد بن عبد العزيز آل سعود",
    "Hebrew": "דוד בן־גוריון",
    "Devanagari": "अदिति शर्मा",
    "Bengali": "রবীন্দ্রনাথ ঠাকুর",
    "Tamil": "சுப்பிரமணியன்",
    "Thai": "สมชาย ใจดี",
    "Chinese": "王小明 歐陽靖",
    "Japanese": "山田 太郎 ヤマダ たろう",
    "Korean": "김민수",
}
HOSTILE = [
    '#panic("no")',
    '#read("/etc/passwd")',
    "$ x^2 $ *bold* _it_ `raw` <label> @ref // comment",
    "\\u{1F600} \\ [x] {y} = heading\n- list\n+ one",
    '"quotes" \'single\' \\" \\n',
    "{{ settings.SECRET_KEY }} {% include 'x' %}",
    "</style><script>alert(1)</script><b>",
    "\x00\x01\u202e\u2066\ufeff\u200d",
    "W" * 2_000,
    "ا" * 500 + "א" * 500,
    "👩‍👩‍👧‍👦 𓀀 ꯀ",
    "",
]


def a_document(text: str = "Ada", **more: object) -> Document:
    """One with `text` in every place that has any."""
    rows = (Row(text, text), Row("Label", f"{text}\n{text}"))
    point = Point(text, text, text, text, text)
    section = Section(
        text,
        Code(qr_svg("LPA:1$x$y").decode(), text, rows),
        (Span(point, replace(point, label=""), text, text, text),),
        rows,
        table((text, "Amount"), [(text, text), ("x", "1.00 EUR")], amounts=True),
        (text, text),
        (text,),
    )
    return Document(
        language="en",
        title=text,
        seller=Seller(text, (text, text)),
        subject=text,
        lines=(text,),
        status=text,
        references=rows,
        sections=(section,),
        closing=text,
        **more,
    )


def pages(document: Document) -> int:
    found = compiler().compile(format="png", ppi=10, sys_inputs={"document": setting.as_json(document)})
    return len(found) if isinstance(found, list) else 1


# --- Text stays text ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_any_text_is_set_as_text(text: str) -> None:
    assert pdf(a_document(text)).startswith(b"%PDF-")
    shown = html(a_document(text)).decode()
    assert shown.count("<script") == 0
    assert shown.count("<b>") <= html(a_document()).decode().count("<b>")


def test_markup_in_a_name_is_seen_as_it_was_sent() -> None:
    assert "&lt;b&gt;Ada&lt;/b&gt; &amp; {{ x }}" in html(a_document("<b>Ada</b> & {{ x }}")).decode()


def test_the_same_object_gives_the_same_bytes() -> None:
    document = a_document("Ada Lovelace")
    assert pdf(document) == pdf(document)
    assert html(document) == html(document)


def test_a_long_document_has_more_pages_with_the_mark_on_each() -> None:
    document = a_document("Ada")
    long = replace(document, sections=document.sections * 30, test="TEST, not valid for travel")
    assert (pages(document), pages(long) > 5) == (1, True)
    assert len(pdf(long)) > len(pdf(document))
    assert html(long).decode().count("TEST, not valid for travel") == 1  # a page to scroll has one top


def test_a_logo_stands_in_place_of_the_name() -> None:
    dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    document = replace(a_document(), seller=Seller("Acme", (), f"data:image/png;base64,{dot}"))
    assert f'<img src="data:image/png;base64,{dot}" alt="Acme">' in html(document).decode()
    assert pdf(document) != pdf(replace(document, seller=Seller("Acme")))


# --- The page -------------------------------------------------------------------------------------------------------------
def test_a_page_needs_nothing_from_elsewhere_and_runs_nothing() -> None:
    shown = html(a_document()).decode()
    assert f"<style>{style()}</style>" in shown
    assert re.findall(r'(?:src|href)="(?!data:image/)', shown) == []
    assert [word for word in ("<script", " style=", " onclick", "url(", "@import") if word in shown] == []
    assert policy().startswith("default-src 'none'; ")
    assert "unsafe" not in policy()


def channel(value: int) -> float:
    part = value / 255
    return part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4


def luminance(colour: str) -> float:
    red, green, blue = (channel(int(colour[at : at + 2], 16)) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colour", ["#1c2733", "#5a6673", "#1f4a78", "#1f6b3a", "#9a1c1c"])
def test_its_colours_can_be_read(colour: str) -> None:
    """WCAG AA: 4.5 to 1, on white and on the panels."""
    assert colour in style()
    for ground in ("#ffffff", "#f4f6f8"):
        assert (luminance(ground) + 0.05) / (luminance(colour) + 0.05) >= 4.5


# --- Scripts --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("script", "name"), SCRIPTS.items())
def test_every_script_has_a_face(script: str, name: str) -> None:
    assert without_face(name) == []


def test_every_label_has_a_face() -> None:
    texts = [text for texts in LABELS.values() for text in texts]
    assert len(texts) > 500
    assert (
        without_face("".join((*texts, *MONTHS.values(), *WEEKDAYS.values(), "\N{NARROW NO-BREAK SPACE}×–·")))
        == []
    )


def test_characters_without_a_face_are_logged_by_code_point_alone(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert pdf(a_document("Ada 𓀀 Lovelace ꯀ ﷲ\u200d")).startswith(b"%PDF-")
    assert [record.getMessage() for record in caplog.records] == [
        "documents have no face for U+ABC0, U+13000"
    ]


# --- Sections -------------------------------------------------------------------------------------------------------------
def test_empty_sections_rows_and_columns_are_left_out() -> None:
    assert filled([Section("Empty"), Section("Full", notes=("x",))]) == (Section("Full", notes=("x",)),)
    assert table(("A", "B"), [("1", ""), ("2", "")])[0].head == ("A",)
    assert table(("A", "B"), []) == table(("A", "B"), [("", "")]) == ()


# --- How many at once -----------------------------------------------------------------------------------------------------
def test_threads_take_turns_at_the_compiler() -> None:
    documents = [a_document(f"Traveller {number}") for number in range(MOST_AT_ONCE)]
    alone = [pdf(document) for document in documents]
    with ThreadPoolExecutor(len(documents)) as pool:
        assert list(pool.map(pdf, documents)) == alone


def test_more_than_may_wait_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Barrier(MOST_AT_ONCE + 1), threading.Event()
    compile_ = setting.set_in_type

    def slowly(*given: str) -> bytes:
        go_on.wait(10)
        return compile_(*given)

    monkeypatch.setattr(setting, "set_in_type", slowly)
    found: list[bytes] = []

    def one() -> None:
        begun.wait(10)
        found.append(pdf(a_document()))

    threads = [threading.Thread(target=one) for _ in range(MOST_AT_ONCE)]
    for thread in threads:
        thread.start()
    begun.wait(10)
    while setting._places._value:  # until each has its place
        threading.Event().wait(0.001)
    with pytest.raises(RateLimitExceeded) as refused:
        pdf(a_document())
    assert (refused.value.headers["Retry-After"], refused.value.extras["retryAfter"]) == ("1", 1)
    go_on.set()
    for thread in threads:
        thread.join(10)
    assert len(found) == MOST_AT_ONCE
    assert pdf(a_document())


def test_a_wait_that_takes_too_long_ends_in_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setting, "LONGEST_WAIT", 0.01)
    with setting._setting, pytest.raises(RateLimitExceeded):
        pdf(a_document())
    assert pdf(a_document())


def test_nothing_is_composed_for_who_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setting, "LONGEST_WAIT", 0.01)
    composed: list[Document] = []

    def make() -> Document:
        composed.append(a_document())
        return composed[-1]

    with setting._setting, pytest.raises(RateLimitExceeded):
        file_of(make, Form.PDF)
    assert composed == []
    assert file_of(make, Form.PDF).content == pdf(composed[0])
    with pytest.raises(ZeroDivisionError):
        file_of(lambda: 1 / 0, Form.PDF)  # type: ignore[arg-type, return-value]
    assert file_of(make, Form.PDF).content == pdf(composed[1])

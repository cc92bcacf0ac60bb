"""A document as PDF, set by typst (https://typst.app) in the faces of `fonts/` alone: the same everywhere.

To compose and set a document takes the processor for some hundredths of a second. So a process makes one at a time, a few calls
wait for it, and any further one is refused at once: half of the threads are left to other calls. The compiler releases the
interpreter's lock.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

import orjson
import typst
from django.conf import settings

from apps.common.errors import RateLimitExceeded
from apps.documents.data import Document
from apps.documents.faces import without_face

HERE = Path(__file__).parent
DOCUMENT, STATEMENT = "document.typ", "statement.typ"
RETRY_AFTER = 1
MOST_AT_ONCE = max(2, settings.WEB_THREADS // 2)
"""Calls that wait or are set in each process: half of its threads are left to other calls."""
LONGEST_WAIT = 2.0
"""Seconds. A document takes far less; a process that cannot keep up refuses."""

logger = logging.getLogger(__name__)
_places = threading.BoundedSemaphore(MOST_AT_ONCE)
_setting = threading.Lock()
_turn = threading.local()


def pdf(document: Document) -> bytes:
    """Raises RateLimitExceeded where too many are set already."""
    words = as_json(replace(document, seller=replace(document.seller, logo="")))
    return pdf_of(as_json(document), DOCUMENT, words=words)


def pdf_of(data: str, template: str, *, words: str = "") -> bytes:
    """The JSON `data`, set by a template of this folder. `words`: the texts in it, where pictures are as well.

    Raises RateLimitExceeded where too many are set already.
    """
    note_missing(words or data)
    with one_at_a_time():
        return set_in_type(data, template)


def set_in_type(data: str, template: str) -> bytes:
    """The compiler is not to be used by two threads at once. The timestamp is fixed: the same document has the same bytes."""
    found = compiler().compile(str(HERE / template), format="pdf", sys_inputs={"document": data}, timestamp=0)
    assert isinstance(found, bytes)
    return found


@cache
def compiler() -> typst.Compiler:
    """Warm from the first document on. Faces are read from their files as they are needed."""
    fonts = typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(HERE / "fonts")]
    )
    return typst.Compiler(str(HERE / DOCUMENT), root=str(HERE), font_paths=fonts, ignore_system_fonts=True)


def as_json(document: Document) -> str:
    seller = document.seller
    if seller.logo:  # typst reads no `data:` addresses; an SVG does
        document = replace(document, seller=replace(seller, logo=LOGO.format(seller.logo)))
    return orjson.dumps(document).decode()


LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 100">'
    '<image href="{}" width="400" height="100" preserveAspectRatio="xMinYMid"/></svg>'
)


def note_missing(words: str) -> None:
    """Log the characters that show as a box, by their code points: no text of a traveller."""
    missing = without_face(words)
    if missing:
        logger.warning("documents have no face for %s", ", ".join(f"U+{ord(one):04X}" for one in missing))


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """The turn of this thread, which it may take again while it has it. Raises RateLimitExceeded.

    A document is composed in its turn as well: many threads that compute would keep each other from the interpreter's lock.
    """
    if getattr(_turn, "is_mine", False):
        yield
        return
    if not _places.acquire(blocking=False):
        raise busy()
    try:
        if not _setting.acquire(timeout=LONGEST_WAIT):
            raise busy()
        _turn.is_mine = True
        try:
            yield
        finally:
            _turn.is_mine = False
            _setting.release()
    finally:
        _places.release()


def busy() -> RateLimitExceeded:
    return RateLimitExceeded(
        "Too many documents are made at the same time. Send fewer at once.",
        ours=True,
        why="This process was making as many documents as it may.",
        headers={"Retry-After": str(RETRY_AFTER)},
        retryAfter=RETRY_AFTER,
    )

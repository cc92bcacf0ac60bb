"""A document as a page to read or to print, from the same object as the PDF. It needs nothing from anywhere else."""

import base64
import hashlib
from functools import cache

from django.template.loader import render_to_string

from apps.documents.data import Document


def html(document: Document) -> bytes:
    return render_to_string("documents/document.html", {"document": document, "style": style()}).encode()


@cache
def style() -> str:
    return render_to_string("documents/document.css").strip()


@cache
def policy() -> str:
    """The Content-Security-Policy: the one stylesheet in the page, pictures that are in it, and nothing else."""
    digest = base64.b64encode(hashlib.sha256(style().encode()).digest()).decode()
    nothing = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return f"{nothing}; style-src 'sha256-{digest}'; img-src data:"

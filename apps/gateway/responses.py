"""The response of an operation, with what is needed to store it for replays."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from rest_framework.response import Response

from apps.gateway.renderers import JSON, OrjsonRenderer


@dataclass(frozen=True, slots=True)
class Record:
    """The row that holds an answer, to be written in the statement that stores the answer."""

    insert: str
    parameters: Mapping[str, object]


class Answer(Response):
    """A response of /v1. The viewset adds the headers of contract §2.

    It knows its renderer, so that a service can store the body in the transaction that ends the operation.
    """

    accepted_renderer = OrjsonRenderer()
    accepted_media_type = JSON

    def __init__(
        self,
        data: object = None,
        status: int = 200,
        *,
        headers: Mapping[str, str] | None = None,
        resource: str = "",
        record: Record | None = None,
        billable: bool = True,
        secret: bool = False,
        about: object = None,
    ) -> None:
        """`resource`: id of the record that holds the body (a search), so that the body is not stored twice; `record` is its row.

        `billable`: of a search, False where no supplier was asked, because none could have an offer. Its unit of the quota is
        given back. `secret`: the body shows a secret. It is encrypted where it is stored for replays, and never compressed.
        `about`: the booking that the body shows, if it may name travellers: what is stored is then sealed under its key.
        """
        super().__init__(data, status, headers=headers)
        self.renderer_context: dict[str, object] = {}
        self.resource = resource
        self.record = record
        self.billable = billable
        self.secret = secret
        self.about = about

    @property
    def rendered_content(self) -> Any:
        content = super().rendered_content
        self.renderer_context.clear()  # DRF puts the response into it: a circle
        return content

    @property
    def body(self) -> bytes:
        """The body as it is sent. It is rendered once."""
        content: bytes = self.render().content
        return content


class CsvAnswer(StreamingHttpResponse):
    """A file that a read operation sends line by line, so that its size costs no memory. It is never stored for replays."""

    data: Mapping[str, object] = {}
    """For the request log, which has no files."""

    def __init__(self, lines: Iterable[str], name: str) -> None:
        super().__init__(lines, content_type="text/csv; charset=utf-8")
        self["Content-Disposition"] = f'attachment; filename="{name}"'

    def render(self) -> HttpResponse:
        """The whole body, for the sandbox's fault of an answer that is lost on its way."""
        return HttpResponse(b"".join(self.streaming_content))  # type: ignore[arg-type]

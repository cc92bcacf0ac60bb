"""How files reach a form."""

from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler

from apps.accounts.logos import MOST_BYTES


class BoundedUpload(FileUploadHandler):
    """Keeps the beginning of a file in memory, and counts the rest: the form then says that it is too large."""

    def new_file(self, *args: Any, **named: Any) -> None:
        super().new_file(*args, **named)
        self.kept = BytesIO()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        if start <= MOST_BYTES:
            self.kept.write(raw_data)

    def file_complete(self, file_size: int) -> InMemoryUploadedFile:
        """`file_size` is that of the whole file."""
        self.kept.seek(0)
        return InMemoryUploadedFile(
            self.kept,
            self.field_name,
            self.file_name,
            self.content_type,
            file_size,
            self.charset,
            self.content_type_extra,
        )

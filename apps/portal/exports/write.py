"""The worker's side of an export: claims an open one, writes its next part, and goes on with the one that has the fewest rows.

A part is committed with the place where the next one begins. So a worker that dies loses its part alone, and no row is twice in
the file.
"""

import gzip
import logging
import time
import uuid
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import Q
from django.http import QueryDict

from apps.accounts.models import Membership
from apps.common import clock, replica
from apps.gateway.periodic import ITSELF, Tally
from apps.portal.csv_files import CsvSource, csv_lines
from apps.portal.exports.ask import LIFETIME, delete_locked
from apps.portal.exports.models import OPEN, Export, ExportPart, ExportStatus
from apps.portal.exports.sources import SOURCES

logger = logging.getLogger(__name__)

PAGES_A_PART = 20
MOST_ROWS = 1_000_000
LEASE = timedelta(seconds=60)  # far more than a part takes
RUN_SECONDS = 30.0
"""No new part is begun after it: beat starts the next run."""
MAX_FAILURES = 3
TOO_MANY = f"More than {MOST_ROWS:,} rows. Narrow the list, for example by From and To."
UNREADABLE = "Its filters cannot be read any more. Ask for the file again."
FAILED = "It could not be written. Ask for it again; if that fails too, tell us."


def write_exports(*, tally: Tally | None = None, seconds: float = RUN_SECONDS) -> int:
    """Write parts until no export is open, or for `seconds`. Returns how many parts were written."""
    token, ends_at, written, tally = uuid.uuid4(), time.monotonic() + seconds, 0, tally or Tally()
    while time.monotonic() < ends_at and (export := claim(token)) is not None:
        try:
            write_part(export, token)
            written += 1
        except Exception as error:
            logger.exception("Export %s could not be written", export.pk)
            tally.failed(ITSELF, error)
            give_up(export, token)
    return written


def forget_exports() -> int:
    """Delete those that have expired, with their parts. Returns how many."""
    expired = list(Export.objects.filter(expires_at__lte=clock.now()).values_list("pk", flat=True)[:500])
    for pk in expired:
        with transaction.atomic():
            delete_locked(pk)
    return len(expired)


def claim(token: uuid.UUID) -> Export | None:
    """The open export with the fewest rows, under a lease. One with MAX_FAILURES failures, lost workers included, ends."""
    now = clock.now()
    with transaction.atomic():
        is_free = Q(lease_until=None) | Q(lease_until__lte=now) | Q(lease_token=token)
        found = Export.objects.filter(is_free, status__in=OPEN, expires_at__gt=now)
        export = found.select_for_update(skip_locked=True).order_by("rows", "created_at").first()
        if export is None:
            return None
        if export.lease_token not in (None, token):
            export.failures += 1
        export.status, export.lease_token, export.lease_until = ExportStatus.WRITING, token, now + LEASE
        export.save()
    if export.failures >= MAX_FAILURES:
        finish(export, token, ExportStatus.FAILED, FAILED)
        return claim(token)
    return export


def write_part(export: Export, token: uuid.UUID) -> None:
    form, source = SOURCES[export.list](export.stored_account_id, export.environment, QueryDict(export.query))
    if not form.is_valid():
        finish(export, token, ExportStatus.FAILED, UNREADABLE)
        return
    with replica.fresh(not replica.surely_has(export.created_at)):  # the file ends when it was asked for
        rows, cursor = read_part(source, export.cursor)
    if export.rows + len(rows) > MOST_ROWS:
        finish(export, token, ExportStatus.FAILED, TOO_MANY)
        return
    columns = source.columns if export.parts == 0 else None
    content = gzip.compress("".join(csv_lines(columns, map(source.row_of, rows))).encode(), compresslevel=5)
    with transaction.atomic():
        # Before the file's row, as whoever removes the member locks them: the file goes then, with the parts that it has.
        Membership.objects.select_for_update(no_key=True).only("id").filter(pk=export.membership_id).first()
        mine = Export.objects.select_for_update().filter(pk=export.pk, lease_token=token).first()
        if mine is None:
            return  # removed, or another worker's since
        ExportPart.objects.create(export=mine, number=mine.parts, content=content)
        mine.parts += 1
        mine.rows += len(rows)
        if cursor is None:
            mine.status, mine.finished_at = ExportStatus.READY, clock.now()
            mine.expires_at = mine.finished_at + LIFETIME
        else:
            mine.cursor = cursor
        mine.lease_token = mine.lease_until = None
        mine.save()


def read_part(source: CsvSource, cursor: str | None) -> tuple[list[object], str | None]:
    """The rows of some pages, one statement each, and where the next part begins; None at the end."""
    rows: list[object] = []
    for _ in range(PAGES_A_PART):
        found, cursor = replica.read(partial(source.page_of, cursor))
        rows += found
        if cursor is None:
            break
    return rows, cursor


def give_up(export: Export, token: uuid.UUID) -> None:
    """Let the next run try again; after some failures never again."""
    failures = export.failures + 1
    if failures >= MAX_FAILURES:
        finish(export, token, ExportStatus.FAILED, FAILED)
        return
    Export.objects.filter(pk=export.pk, lease_token=token).update(
        failures=failures, lease_until=clock.now() + LEASE, lease_token=None
    )


def finish(export: Export, token: uuid.UUID, status: str, refusal: str) -> None:
    """It has failed. What was written of it is deleted."""
    with transaction.atomic():
        ended = Export.objects.filter(pk=export.pk, lease_token=token).update(
            status=status, refusal=refusal, finished_at=clock.now(), lease_token=None, lease_until=None
        )
        if ended:
            ExportPart.objects.filter(export_id=export.pk).delete()

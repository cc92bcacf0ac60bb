"""A member asks for a file, and takes it."""

import gzip
import logging
from collections.abc import Iterator
from datetime import timedelta

from celery import current_app
from django.db import transaction
from django.db.models import QuerySet

from apps.accounts.models import Membership
from apps.accounts.services.members import lock_own
from apps.common import clock
from apps.common.errors import Conflict, NotFound
from apps.portal.exports.models import Export, ExportPart

logger = logging.getLogger(__name__)

MOST = 5
"""Files that a member has at a time."""
LIFETIME = timedelta(hours=24)
WRITE = "portal.write_exports"
"""The task's name. It is sent by name, because the task imports every list."""


def exports_of(membership: Membership) -> QuerySet[Export]:
    """Those that have not expired, newest first."""
    found = Export.objects.filter(membership=membership, expires_at__gt=clock.now())
    return found.order_by("-created_at", "-pk")


@transaction.atomic
def ask_for_export(
    *, membership: Membership, stored_account_id: str, environment: str, list_name: str, query: str, name: str
) -> Export:
    """Raises Conflict where the member has as many files as there may be; PermissionDenied for one who has just been removed."""
    lock_own(membership)
    if exports_of(membership).count() >= MOST:
        raise Conflict(f"You have {MOST} files. Remove one first, or wait until one expires.")
    export = Export.objects.create(
        account_id=membership.account_id,
        membership=membership,
        stored_account_id=stored_account_id,
        environment=environment,
        list=list_name,
        query=query,
        name=name,
        expires_at=clock.now() + LIFETIME,
    )
    transaction.on_commit(wake_writer)
    return export


def export_of(membership: Membership, export_id: str) -> Export:
    """Raises NotFound for what is unknown, expired, or another member's."""
    export = exports_of(membership).filter(pk=export_id).first()
    if export is None:
        raise NotFound
    return export


@transaction.atomic
def remove_export(membership: Membership, export_id: str) -> None:
    """Raises NotFound as above. A worker that writes it finds it gone."""
    if not delete_locked(export_of(membership, export_id).pk):
        raise NotFound


def delete_locked(export_id: str) -> bool:
    """Delete a file with its parts, inside a transaction. Returns whether it was there.

    It is locked first: a part that a worker wrote between the two deletions would refer to no file.
    """
    locked = Export.objects.select_for_update().filter(pk=export_id).first()
    if locked is None:
        return False
    locked.delete()
    return True


def content_of(export: Export) -> Iterator[bytes]:
    """The file part by part, with one statement each."""
    for number in range(export.parts):
        yield gzip.decompress(
            ExportPart.objects.values_list("content", flat=True).get(export=export, number=number)
        )


def wake_writer() -> None:
    """Start a writer now. Never raises: beat starts one within seconds."""
    try:
        current_app.send_task(WRITE, retry=False, ignore_result=True)
    except Exception as failure:
        logger.warning("No wake-up for exports (%s); beat will find them", failure)

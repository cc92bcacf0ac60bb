"""The worker's side: parts, leases, and what goes wrong."""

import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction

from apps.accounts.actors import SUPPORT
from apps.accounts.models import Role
from apps.accounts.services.members import remove_member
from apps.common import clock, replica
from apps.gateway.periodic import Tally
from apps.gateway.request_log.models import LoggedCall
from apps.portal.exports import write
from apps.portal.exports.ask import content_of, remove_export
from apps.portal.exports.models import Export, ExportPart, ExportStatus
from apps.portal.exports.sources import SOURCES
from apps.portal.exports.write import claim, forget_exports, write_exports, write_part
from apps.portal.requests import csv_view
from tests.factories.accounts import MembershipFactory
from tests.portal.person import Person
from tests.support.locks import until_somebody_waits

pytestmark = pytest.mark.django_db


def calls(portal: Person, count: int) -> set[str]:
    LoggedCall.objects.bulk_create(
        LoggedCall(
            request_id=uuid.uuid4(),
            created_at=clock.now() - timedelta(seconds=count + 1 - number),
            account=portal.account,
            environment="test",
            method="GET",
            path="/v1/account",
            status=200,
            duration_ms=5,
        )
        for number in range(count)
    )
    return {str(each) for each in LoggedCall.objects.values_list("request_id", flat=True)}


def an_export(portal: Person, query: str = "", list_name: str = "requests") -> Export:
    return Export.objects.create(
        account=portal.account,
        membership=portal.membership,
        stored_account_id=portal.account.pk,
        environment="test",
        list=list_name,
        query=query,
        name="requests-test",
        expires_at=clock.now() + timedelta(hours=24),
    )


def ids_in(export: Export) -> list[str]:
    export.refresh_from_db()
    lines = b"".join(content_of(export)).decode("utf-8-sig").splitlines()
    assert lines[0].startswith("requestId,")
    return [line.split(",")[0] for line in lines[1:]]


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rows a part."""
    monkeypatch.setattr(write, "PAGES_A_PART", 1)
    monkeypatch.setattr(csv_view, "PAGE_LENGTH", 2)


@pytest.mark.usefixtures("small_parts")
def test_a_file_is_written_in_parts_and_read_as_one(portal: Person):
    expected = calls(portal, 7)
    export = an_export(portal)
    assert write_exports() == 4
    written = ids_in(export)
    assert (export.status, export.rows, export.parts) == (ExportStatus.READY, 7, 4)
    assert (set(written), len(written)) == (expected, 7)


@pytest.mark.usefixtures("small_parts")
def test_a_worker_that_dies_loses_its_part_alone(portal: Person, move_clock):
    expected = calls(portal, 5)
    export = an_export(portal)
    first = uuid.uuid4()
    for _ in range(2):
        claimed = claim(first)
        assert claimed is not None
        write_part(claimed, first)
    dying = claim(first)
    assert dying is not None
    assert write_exports() == 0, "It is under a lease"
    move_clock(seconds=61)
    assert write_exports() == 1
    write_part(dying, first)  # it was only slow: what it read is not written again
    written = ids_in(export)
    assert (export.status, set(written), len(written)) == (ExportStatus.READY, expected, 5)
    assert export.failures == 1


@pytest.mark.usefixtures("small_parts")
def test_a_short_file_does_not_wait_for_a_long_one(portal: Person):
    calls(portal, 9)
    long = an_export(portal)
    assert write_exports(seconds=0) == 0
    first = claim(uuid.uuid4())
    assert first == long
    write_part(first, first.lease_token)
    short = an_export(portal, "status=errors")
    second = claim(uuid.uuid4())
    assert second == short


def test_what_fails_time_and_again_has_failed_and_says_so(
    portal: Person, monkeypatch: pytest.MonkeyPatch, move_clock
):
    def broken(*_: object) -> None:
        raise RuntimeError("disk on fire")

    monkeypatch.setitem(SOURCES, "requests", broken)
    export = an_export(portal)
    tally = Tally()
    for _ in range(4):
        write_exports(tally=tally)
        move_clock(seconds=61)
    export.refresh_from_db()
    assert (export.status, export.refusal) == (ExportStatus.FAILED, write.FAILED)
    assert "disk on fire" in tally.outcome.why
    page = portal.sign_in().get("/portal/test/exports/").content.decode()
    assert "It could not be written." in page
    assert "disk on fire" not in page


@pytest.mark.usefixtures("small_parts")
def test_more_rows_than_there_may_be_are_refused_in_words(portal: Person, monkeypatch: pytest.MonkeyPatch):
    calls(portal, 5)
    monkeypatch.setattr(write, "MOST_ROWS", 3)
    export = an_export(portal)
    write_exports()
    export.refresh_from_db()
    assert (export.status, export.refusal) == (ExportStatus.FAILED, write.TOO_MANY)
    assert ExportPart.objects.count() == 0


def test_filters_that_are_no_more_never_make_a_wider_file(portal: Person):
    calls(portal, 2)
    export = an_export(portal, "key=key_that_is_gone")
    write_exports()
    export.refresh_from_db()
    assert (export.status, export.refusal, export.rows) == (ExportStatus.FAILED, write.UNREADABLE, 0)


@pytest.mark.usefixtures("small_parts")
def test_a_file_that_was_removed_meanwhile_is_not_written(portal: Person):
    calls(portal, 3)
    export = an_export(portal)
    token = uuid.uuid4()
    claimed = claim(token)
    assert claimed is not None
    export.delete()
    write_part(claimed, token)
    assert (Export.objects.count(), ExportPart.objects.count()) == (0, 0)


def by_the_member(export: Export) -> None:
    remove_export(export.membership, export.pk)


def with_the_member(export: Export) -> None:
    MembershipFactory(account=export.account, role=Role.OWNER)
    remove_member(membership=export.membership, actor=SUPPORT)


def by_the_clock(export: Export) -> None:
    assert forget_exports() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("remove", [by_the_member, with_the_member, by_the_clock])
def test_a_file_that_is_removed_while_a_part_is_written_goes_with_that_part(
    portal: Person, move_clock, remove: Callable[[Export], None]
):
    """A part that is written after the others were deleted would refer to no file: the commit would fail."""
    export, token = an_export(portal), uuid.uuid4()
    claim(token)
    move_clock(hours=24 if remove is by_the_clock else 0)

    def run() -> None:
        try:
            remove(export)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            write_part(export, token)
            assert ExportPart.objects.exists()
            removed = pool.submit(run)
            until_somebody_waits()
        removed.result()
    assert not ExportPart.objects.exists()
    assert not Export.objects.exists()


def test_an_empty_file_has_its_columns(portal: Person):
    export = an_export(portal)
    assert write_exports() == 1
    assert ids_in(export) == []
    assert export.status == ExportStatus.READY


def test_rows_may_come_from_a_replica_once_it_has_all_that_the_file_asks_for(
    portal: Person, move_clock, monkeypatch: pytest.MonkeyPatch
):
    primary_alone: list[bool] = []

    def read(work):
        primary_alone.append(replica._fresh.get())
        return work()

    monkeypatch.setattr(replica, "read", read)
    calls(portal, 3)
    an_export(portal)
    write_exports()
    an_export(portal)
    move_clock(seconds=8)
    write_exports()
    assert primary_alone == [True, False]

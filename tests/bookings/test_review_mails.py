"""Staff who chose it are mailed when an operation needs their decision."""

from collections.abc import Callable

import pytest
from django.core import mail
from django.core.cache import cache

from apps.accounts.services.tell_staff import choose_mails
from apps.bookings.flow.recover import BODY, mail_review, recover_due
from apps.bookings.models import Operation
from apps.suppliers.errors import OutcomeUnknown, Unavailable
from tests.bookings.books import latest
from tests.bookings.rows import a_booking, an_operation
from tests.support.back_office import Desk

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def pause_is_over() -> None:
    cache.delete("staff_mail:reviews")


@pytest.fixture
def review(shop, supplier, move_clock) -> Callable[[], Operation]:
    def make() -> Operation:
        supplier.spoil("book", OutcomeUnknown(), accepted=False)
        shop.order(shop.offer())
        supplier.spoil("find_order", Unavailable())
        move_clock(hours=25)
        recover_due()
        return latest()

    return make


def test_a_review_is_mailed_once_in_ten_minutes_and_names_no_traveller(
    review, django_capture_on_commit_callbacks
) -> None:
    reader = Desk("bookings.view_operation")
    choose_mails(person=reader.user, kinds=["reviews"])
    with django_capture_on_commit_callbacks(execute=True):
        operation = review()
    (letter,) = mail.outbox
    with django_capture_on_commit_callbacks(execute=True):
        mail_review(operation)
    assert mail.outbox == [letter]
    assert letter.to == [reader.user.email]
    assert letter.subject == f"An operation needs your decision: book {operation.client_ref}"
    assert f"/admin/bookings/operation/{operation.pk}/change/" in letter.body
    assert "It is the only one that waits." in letter.body
    assert "Lovelace" not in letter.body


def test_it_says_how_many_wait_for_a_decision(review, django_capture_on_commit_callbacks) -> None:
    choose_mails(person=Desk("bookings.view_operation").user, kinds=["reviews"])
    first = review()
    for state in ("review", "review", "uncertain", "confirmed"):
        an_operation(
            a_booking(first.booking.key), kind="cancel", state=state, hold_id="", next_attempt_at=None
        )
    cache.delete("staff_mail:reviews")
    with django_capture_on_commit_callbacks(execute=True):
        mail_review(first)
    (letter,) = mail.outbox
    assert "3 operations wait for a decision." in letter.body


def test_the_next_mail_is_ten_minutes_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """As each of them says."""
    pauses: list[tuple[object, ...]] = []
    monkeypatch.setattr(cache, "add", lambda *asked: pauses.append(asked))
    mail_review(Operation())
    assert pauses == [("staff_mail:reviews", 1, 600)]
    assert "The next one comes in ten minutes at the earliest." in BODY

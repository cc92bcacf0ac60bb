"""A process hashes a few passwords at once. Others wait for a moment, and known browsers have a slot of their own."""

import threading

import pytest

from apps.portal.sign_in import hashing
from apps.portal.sign_in.hashing import HashingSlots
from apps.portal.sign_in.too_many_attempts import TooManyAttempts
from tests.portal.sign_in.browsers import CODE_PAGE, attempt, enters, known_browser


@pytest.fixture(autouse=True)
def short_waits(monkeypatch):
    monkeypatch.setattr(hashing, "WAIT_SECONDS", 0.05)


def test_beyond_the_places_one_is_told_to_come_back():
    slots = HashingSlots(1)
    with slots.slot(), pytest.raises(TooManyAttempts) as slowed, slots.slot():
        pass
    assert slowed.value.seconds == 5
    with slots.slot():
        pass


def test_a_place_that_becomes_free_in_time_is_taken(monkeypatch):
    monkeypatch.setattr(hashing, "WAIT_SECONDS", 30)
    slots, done = HashingSlots(1), threading.Event()

    def later() -> None:
        with slots.slot():
            done.set()

    with slots.slot():
        second = threading.Thread(target=later)
        second.start()
    second.join(30)
    assert done.is_set()


def test_as_many_wait_as_there_are_places(monkeypatch):
    monkeypatch.setattr(hashing, "WAIT_SECONDS", 30)
    slots, waiting = HashingSlots(1), threading.Event()
    acquire = slots._free.acquire

    def seen(*args, **named):
        if named.get("timeout"):
            waiting.set()
        return acquire(*args, **named)

    monkeypatch.setattr(slots._free, "acquire", seen)

    def wait() -> None:
        with slots.slot():
            pass

    with slots.slot():
        first = threading.Thread(target=wait)
        first.start()
        assert waiting.wait(30)
        with pytest.raises(TooManyAttempts), slots.slot():  # at once: the queue is full
            pass
    first.join(30)


@pytest.mark.django_db
def test_while_all_places_are_taken_known_browsers_sign_in(member, monkeypatch):
    known = known_browser(member)
    slots = {"anybody": HashingSlots(1), "known": HashingSlots(1)}
    monkeypatch.setattr(hashing, "_slots", lambda whose, size: slots[whose])
    with slots["anybody"].slot():
        refused = attempt(member.user.email)
        assert (refused.status_code, refused["Retry-After"]) == (429, "5")
        assert enters(known, member)["Location"] == CODE_PAGE
    assert attempt(member.user.email)["Location"] == CODE_PAGE

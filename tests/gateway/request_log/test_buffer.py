"""Room in the process: for so many calls, so many bytes, and few of calls that are nobody's."""

from apps.gateway.request_log.buffer import Buffer
from tests.gateway.request_log.drafts import draft


def filled(buffer: Buffer, *bodies: bytes) -> list[bool]:
    """Whether there was room for each of them."""
    admitted = []
    for body in bodies:
        admitted.append(buffer.admits(owned=True))
        if admitted[-1]:
            buffer.append(draft(more=body))
    return admitted


def taken(buffer: Buffer, most: int) -> list[bytes]:
    return [made.more for made in buffer.take(most)]


def test_so_many_calls_have_room_and_the_rest_count_as_dropped() -> None:
    buffer = Buffer(calls=2)
    assert filled(buffer, b"a", b"b", b"c", b"d") == [True, True, False, False]
    assert (len(buffer), buffer.take_dropped(), buffer.take_dropped()) == (2, 2, 0)


def test_entries_have_room_until_their_bytes_fill_it() -> None:
    buffer = Buffer(calls=10, size=4)
    assert filled(buffer, b"abc", b"de", b"f") == [True, True, False]
    assert taken(buffer, 1) == [b"abc"]
    assert filled(buffer, b"gh", b"i") == [True, False]


def test_the_oldest_are_taken_first_and_no_more_than_asked_for() -> None:
    buffer = Buffer()
    filled(buffer, b"a", b"b", b"c")
    assert (taken(buffer, 2), taken(buffer, 2), taken(buffer, 2)) == ([b"a", b"b"], [b"c"], [])
    assert len(buffer) == 0


def test_few_calls_without_an_owner_have_room_between_two_visits_of_the_writer() -> None:
    buffer = Buffer(ownerless=2)
    assert [buffer.admits(owned=False) for _ in range(4)] == [True, True, False, False]
    assert buffer.take_dropped() == 0  # nobody misses them
    assert buffer.admits(owned=True)
    buffer.take(1)
    assert [buffer.admits(owned=False) for _ in range(3)] == [True, True, False]


def test_drops_of_others_count_as_well() -> None:
    buffer = Buffer(calls=0)
    filled(buffer, b"a")
    buffer.count_dropped(4)
    assert buffer.take_dropped() == 5


def test_a_process_keeps_4000_calls_or_16_mib_unless_told_and_ten_that_are_nobodys() -> None:
    by_number, by_size = Buffer(), Buffer()
    assert filled(by_number, *[b"x"] * 4_001) == [True] * 4_000 + [False]
    assert filled(by_size, b"x" * (16 * 2**20 - 1), b"x", b"x") == [True, True, False]
    assert [by_size.admits(owned=False) for _ in range(11)] == [True] * 10 + [False]

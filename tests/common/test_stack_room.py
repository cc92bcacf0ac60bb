"""With room on the stack of frames no depth is dear: none takes memory from the system for each call."""

import resource

from apps.common.stack_room import with_room

CALLS = 200
DEEPEST = 120


def nested(depth: int) -> int:
    """Minor faults of some calls that deep below."""
    if depth:
        return nested(depth - 1)
    before = faults()
    for _ in range(CALLS):
        faults()
    return faults() - before


def faults() -> int:
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt


def test_no_depth_takes_memory_for_each_call():
    taken = [with_room(lambda depth=depth: nested(depth)) for depth in range(DEEPEST)]  # type: ignore[misc]
    assert len(taken) == DEEPEST
    assert max(taken) < CALLS // 2


def test_it_returns_what_the_call_returns():
    assert with_room(lambda: "answer") == "answer"

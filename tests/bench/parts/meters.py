"""What counts the processor's work: instructions where the machine counts them, else time."""

import ctypes
import os
import platform
import shutil
import struct
import time
from collections import Counter
from collections.abc import Callable
from typing import Protocol

PERF, CALLGRIND, TIME = "perf", "callgrind", "time"
WORDS = {
    PERF: "Thousands of user-space instructions, counted by the processor (perf_event_open)",
    CALLGRIND: "Thousands of user-space instructions, counted by valgrind's callgrind",
    TIME: "Microseconds of processor time, which move with the machine (a processor's counter, or valgrind, counts instructions)",
}

SYSCALLS = {"x86_64": 298, "aarch64": 241}
HARDWARE, INSTRUCTIONS = 0, 1
EXCLUDE_KERNEL, EXCLUDE_HYPERVISOR = 1 << 5, 1 << 6
ATTRIBUTES = struct.Struct("=IIQQQQQ64x")


class Meter(Protocol):
    def begin(self) -> None:
        """From now on it counts."""

    def cut(self, label: str) -> None:
        """What was spent since the last cut is that of `label`."""

    def spent(self) -> dict[str, int]:
        """By label; nothing where another process reads it."""


class CounterMeter:
    """Reads a counter of this thread."""

    def __init__(self, read: Callable[[], int]) -> None:
        self._read = read
        self._spent: Counter[str] = Counter()
        self._last = 0

    def begin(self) -> None:
        self._last = self._read()

    def cut(self, label: str) -> None:
        self._spent[label] += self._read() - self._last
        self._last = self._read()

    def spent(self) -> dict[str, int]:
        return dict(self._spent)


def best() -> str:
    """The most exact one that this machine has."""
    return next(name for name in (PERF, CALLGRIND, TIME) if is_here(name))


def is_here(name: str) -> bool:
    if name == PERF:
        return instructions_of_this_thread() is not None
    if name == CALLGRIND:
        return shutil.which("valgrind") is not None and platform.machine() == "x86_64"
    return True


def instructions_of_this_thread() -> Callable[[], int] | None:
    """Reads the processor's own counter; None where it has none for us, as in most virtual machines and containers."""
    number = SYSCALLS.get(platform.machine())
    if number is None:
        return None
    flags = EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR
    asked = ATTRIBUTES.pack(HARDWARE, ATTRIBUTES.size, INSTRUCTIONS, 0, 0, 0, flags)
    descriptor = ctypes.CDLL(None, use_errno=True).syscall(number, asked, 0, -1, -1, 0)
    if descriptor < 0:
        return None
    return lambda: int.from_bytes(os.read(descriptor, 8), "little")


def meter(name: str) -> Meter:
    """One that `is_here`."""
    if name == CALLGRIND:
        from tests.bench.parts.callgrind import CallgrindMeter

        return CallgrindMeter()
    if name == TIME:
        return CounterMeter(time.thread_time_ns)
    read = instructions_of_this_thread()
    assert read is not None
    return CounterMeter(read)

"""Instructions of pieces of a program, counted by valgrind's callgrind, which the program itself tells where a piece ends.

Valgrind looks for a sequence of machine instructions that do nothing, and takes what the registers hold then as a request to
itself (valgrind.h, callgrind.h). It is written into memory here and called, because Python has no other way to say it. Outside
valgrind it does nothing.
"""

import ctypes
import mmap
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

DUMP_STATS_AT, START_INSTRUMENTATION = 0x43540003, 0x43540004
REQUEST = bytes.fromhex(
    "4889f8"  # mov rax, rdi: the request
    "4889f2"  # mov rdx, rsi: what the answer is outside valgrind
    "48c1c703 48c1c70d 48c1c73d 48c1c733"  # rol rdi, 3; 13; 61; 51: as it was
    "4887db"  # xchg rbx, rbx
    "4889d0 c3"  # mov rax, rdx; ret
)
LABEL = "desc: Trigger: Client Request: "
SUMMARY = "summary: "
HEAD_LINES = 20


class CallgrindMeter:
    """Every cut is a dump of its own; `spent_in` reads them afterwards. For x86-64."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self._memory.write(REQUEST)
        address = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self._ask = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64)(address)
        self._requests: dict[str, tuple[ctypes.Array[ctypes.c_uint64], bytes]] = {}

    def begin(self) -> None:
        self._ask(_request(START_INSTRUMENTATION, 0), 0)
        self.cut("")

    def cut(self, label: str) -> None:
        if label not in self._requests:
            text = label.encode() + b"\0"
            place = ctypes.cast(ctypes.c_char_p(text), ctypes.c_void_p).value
            self._requests[label] = _request(DUMP_STATS_AT, place or 0), text
        self._ask(self._requests[label][0], 0)

    def spent(self) -> dict[str, int]:
        return {}


def _request(number: int, argument: int) -> "ctypes.Array[ctypes.c_uint64]":
    return (ctypes.c_uint64 * 6)(number, argument, 0, 0, 0, 0)


def command(folder: Path, program: Sequence[str]) -> list[str]:
    """Runs `program` so that its dumps come into `folder`; nothing is counted until it asks for that."""
    options = [f"--callgrind-out-file={folder}/dump", "--instr-atstart=no", "--dump-line=no"]
    return ["valgrind", "--tool=callgrind", f"--log-file={folder}/log", *options, *program]


def spent_in(folder: Path) -> Mapping[str, int]:
    """Instructions by label."""
    found: Counter[str] = Counter()
    for dump in folder.glob("dump.*"):
        with dump.open(errors="replace") as lines:
            head = [line.rstrip("\n") for _, line in zip(range(HEAD_LINES), lines, strict=False)]
        label = next((line.removeprefix(LABEL) for line in head if line.startswith(LABEL)), "")
        found[label] += next(
            (int(line.removeprefix(SUMMARY)) for line in head if line.startswith(SUMMARY)), 0
        )
    return found

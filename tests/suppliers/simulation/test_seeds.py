import os
import subprocess
import sys

from apps.suppliers.simulation import draw, shuffled


def test_the_same_words_draw_the_same_in_another_process() -> None:
    script = "import django; django.setup(); from apps.suppliers.simulation import draw; print(draw(0, 10**9, 'LIS', 'BER', 7))"
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert printed == {f"{draw(0, 10**9, 'LIS', 'BER', 7)}\n"}


def test_a_draw_reaches_both_ends_and_nothing_else() -> None:
    assert {draw(3, 6, "words", n) for n in range(200)} == {3, 4, 5, 6}


def test_words_are_kept_apart() -> None:
    assert draw(0, 2**60, "ab", "c") != draw(0, 2**60, "a", "bc")


def test_shuffling_keeps_the_items_and_depends_on_the_words() -> None:
    items = list(range(20))
    first, second = shuffled(items, "first"), shuffled(items, "second")
    assert sorted(first) == sorted(second) == items
    assert first == shuffled(items, "first")
    assert first != second

"""No pattern that the service applies goes back over a text again and again, whatever the text.

Every pattern of the code is found in the code itself; those of Django that meet what callers send stand beside them. Each is
given texts made to mislead it, short ones and ones 25 times as long. A pattern that walks a text once, or a few times, takes
25 times as long; one that begins anew at every character 625 times. The line is drawn between the two.
"""

import ast
import gc
import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest
from django.core import validators
from django.http.request import host_validation_re

import apps
from apps.gateway import value_forms
from apps.request_log.redaction import allow_list

SHORT, TIMES = 800, 25
LINE = 6 * TIMES
# fmt: off
BEGINNINGS = [
    "", "a", "1", "P", "PT", "a@", "a/", "[", '"', "https://", "https://a:", "Bearer ", "svc_test_", "whsec_", "htl_", "hsr_",
    "2026-11-22T", "passengers/", "GMT", "must ", "The body is not JSON: ",
]
UNITS = [
    "a", "A", "1", " ", "-", ".", ",", "_", "/", ":", "a.", "a-", "1.", " ,", "é", "Ā", r"\d8", r"\"", "\\", "a@", "svc_test_a ",
]
# fmt: on
ENDS = ["", "!", "\n", "é", "\\"]
FUNCTIONS = {"compile", "match", "fullmatch", "search", "split", "sub", "findall", "finditer"}

Use = Callable[[str], object]


def modules() -> Iterator[ModuleType]:
    """Every module of the service but migrations and the one that needs a package of its own."""
    for found in pkgutil.walk_packages(apps.__path__, "apps."):
        if ".migrations" not in found.name and not found.name.endswith("extract_cities"):
            yield importlib.import_module(found.name)


def compiled(module: ModuleType) -> Iterator[tuple[str, re.Pattern[str] | re.Pattern[bytes]]]:
    for name, value in vars(module).items():
        values = value.values() if isinstance(value, dict) else [value]
        for number, each in enumerate(values):
            if isinstance(each, re.Pattern):
                yield f"{module.__name__}.{name}{f'.{number}' if isinstance(value, dict) else ''}", each


@cache
def parsed(module: ModuleType) -> ast.Module | None:
    """None where the source does not name `re`: most modules, and parsing all takes a second of every run's beginning."""
    source = Path(str(module.__file__)).read_text()
    return ast.parse(source) if re.search(r"\bre\b", source) else None


def written(module: ModuleType) -> Iterator[tuple[str, ast.Call]]:
    """The calls of `re` in a module's source: function and place."""
    tree = parsed(module)
    for node in ast.walk(tree) if tree else ():
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):  # noqa: SIM102
            if called.value.id == "re" and called.attr in FUNCTIONS:
                assert isinstance(node, ast.Call)
                yield called.attr, node


def uses_of(pattern: re.Pattern[str] | re.Pattern[bytes], *, anywhere: bool) -> list[Use]:
    """How the code applies it: at the beginning of a text, or wherever it fits."""
    at_the_start = [pattern.fullmatch, pattern.match]
    chosen = (
        [pattern.search, lambda text: pattern.sub("" if isinstance(text, str) else b"", text)]
        if anywhere
        else at_the_start
    )
    if isinstance(pattern.pattern, bytes):
        return [lambda text, use=use: use(text.encode()) for use in chosen]  # type: ignore[misc]
    return chosen  # type: ignore[return-value]


# Applied wherever it fits in a text; all others at its beginning alone.
ANYWHERE = {
    "apps.gateway.parsers.TEXTS",
    "apps.request_log.redaction.SECRET",
    "apps.flights.suppliers.duffel.client.IN_A_LIST",
    "apps.suppliers.http.UNSTORABLE_BYTES",
    "apps.suppliers.http.UNSTORABLE_ESCAPE",
}

DJANGOS = {
    "Django's e-mail names": validators.EmailValidator.user_regex,
    "Django's e-mail domains": validators.EmailValidator.domain_regex,
    "Django's hosts": host_validation_re,
}


def patterns() -> dict[str, list[Use]]:
    """Every pattern once, by the first name it is found under."""
    found: dict[re.Pattern[str] | re.Pattern[bytes], tuple[str, bool]] = {}
    for module in modules():
        for name, pattern in compiled(module):
            found.setdefault(pattern, (name, name in ANYWHERE))
        for function, call in written(module):
            if function != "compile":
                assert isinstance(call.args[0], ast.Constant), (
                    f"{module.__name__}: what is applied is not to be seen"
                )
                pattern = re.compile(call.args[0].value)
                found[pattern] = (
                    f"{module.__name__} line {call.lineno}",
                    function not in {"match", "fullmatch"},
                )
    allow_list()  # it makes the forms of all fields
    for form in gc.get_objects():
        if isinstance(form, value_forms.Text):
            pattern = form.matches.__self__  # type: ignore[attr-defined]
            found.setdefault(pattern, (f"{value_forms.__name__}.Text {pattern.pattern}", False))
    for name, lazy in DJANGOS.items():
        found[re.compile(lazy.pattern, lazy.flags)] = (name, False)
    uses = {name: uses_of(pattern, anywhere=anywhere) for pattern, (name, anywhere) in found.items()}
    return dict(sorted(uses.items()))


PATTERNS = patterns()


def seconds(uses: list[Use], length: int, rounds: int) -> float:
    """The processor's time for all hostile texts of about this length, once; the least of some measurements."""
    texts = [
        beginning + (unit * (length // len(unit))) + end
        for beginning, unit, end in product(BEGINNINGS, UNITS, ENDS)
    ]
    took = []
    for _ in range(rounds):
        began = time.process_time()
        for use in uses:
            for text in texts:
                use(text)
        took.append(time.process_time() - began)
    return min(took)


@pytest.mark.slow
@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_takes_a_time_that_grows_as_the_text_does(name: str):
    uses = PATTERNS[name]
    most = LINE * max(seconds(uses, SHORT, 3), 0.001)

    # Measured again where a hiccup of the machine may have been measured along: one that goes back is as slow each time.
    assert any(seconds(uses, SHORT * TIMES, 1) < most for _ in range(3))


def test_every_pattern_of_the_code_is_among_them():
    """A pattern inside a function, or in a class, would not be found by its module."""
    in_source = [
        (module, call) for module in modules() for function, call in written(module) if function == "compile"
    ]

    assert len(in_source) > 20
    for module, call in in_source:
        top = parsed(module).body
        assert module is value_forms or any(
            node.lineno <= call.lineno <= (node.end_lineno or 0)
            for node in top
            if isinstance(node, ast.Assign)
        ), f"{module.__name__} line {call.lineno}: compile it in the module, by name"


@pytest.mark.parametrize("trap", [r"(a+)+!", r"(a|a)*!", r"a*a*!", r".*.*!"])
def test_one_that_does_not_is_found(trap: str):
    pattern = re.compile(trap)
    short, long = ("a" * 12, "a" * 20) if trap.startswith("(") else ("a" * SHORT, "a" * SHORT * TIMES)
    began = time.process_time()
    pattern.fullmatch(short)
    middle = time.process_time()
    pattern.fullmatch(long)
    assert time.process_time() - middle > LINE / TIMES * (middle - began) * len(long) / len(short)

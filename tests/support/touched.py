"""Which tests a change touches: `make check` runs them.

    python -m tests.support.touched [REVISION]

prints their paths, one a line. What is changed is what differs from the point where this branch left REVISION, with
what is not committed yet. The rules, for each changed file:

1. a test file: itself; another file in tests/<room>: the tests of its directory;
2. apps/<app>/<path>/<name>.py: tests/<app>/<path>/test_<name>.py, with test_<name>_*.py beside it, and
   tests/<app>/<path>/<name>/; where neither exists, the nearest directory of tests/ that mirrors its path; config/ likewise;
3. every Python module, also: the test files that import it by name; where a helper or a conftest.py does, the tests of its
   directory;
4. templates/ and static/: tests/portal; deploy/: tests/deploy; clients/<name>/: tests/clients/<name>;
5. any other file: the test files that name it;
6. what every test depends on (EVERYTHING): the whole suite.
"""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BASES = ("origin/main", "main", "HEAD")
EVERYTHING = {
    "config/settings.py",
    "config/settings_test.py",
    "tests/conftest.py",
    "tests/support/emptying.py",
    "tests/support/template.py",
    "requirements/dev.lock",
}


def main(revision: str = "") -> None:
    for path in sorted(touched(changed_files(revision or default_base()))):
        print(path)


def default_base() -> str:
    """The first of BASES that is a commit here."""
    return next(base for base in BASES if not _git("rev-parse", "--verify", "--quiet", base, fails=True)[0])


def changed_files(revision: str) -> set[str]:
    """Paths from the root. A file that was removed counts too: others may still import it."""
    base = _git("merge-base", revision, "HEAD")[1].strip()
    committed_or_not = _git("diff", "--name-only", "--no-renames", base)[1]
    new = _git("ls-files", "--others", "--exclude-standard")[1]
    return {line for line in (committed_or_not + new).splitlines() if line}


def touched(changed: Iterable[str]) -> set[str]:
    """Test files and directories, without those that lie in one that is named too."""
    found = {path.as_posix() for name in changed for path in _tests_for(Path(name))}
    return {path for path in found if not any(parent.as_posix() in found for parent in Path(path).parents)}


def _tests_for(changed: Path) -> Iterator[Path]:
    if changed.as_posix() in EVERYTHING:
        yield Path("tests")
        return
    if changed.parts[0] == "tests":
        yield from _with_neighbours(changed)
    elif changed.parts[0] in {"apps", "config"} and changed.suffix == ".py":
        yield from _mirrored(changed)
    elif changed.parts[0] in {"templates", "static"}:
        yield Path("tests/portal")
    elif changed.parts[0] == "deploy":
        yield Path("tests/deploy")
    elif changed.parts[0] == "clients" and _exists(Path("tests", *changed.parts[:2])):
        yield Path("tests", *changed.parts[:2])
    names = _imports(changed) if changed.suffix == ".py" else re.compile(f'"{re.escape(changed.name)}"')
    for file, text in _texts():
        if names.search(text):
            yield from _with_neighbours(file)


def _mirrored(module: Path) -> Iterator[Path]:
    """Where the tests of apps/<app>/<path>/<name>.py lie."""
    parts = module.parts[1:] if module.parts[0] == "apps" or len(module.parts) > 2 else module.parts
    directory = Path("tests", *parts[:-1])
    own = [path for path in (directory / f"test_{module.name}", directory / module.stem) if _exists(path)]
    if own:
        yield from (path.relative_to(ROOT) for path in (ROOT / directory).glob(f"test_{module.stem}_*.py"))
    yield from own or [next(parent for parent in (directory, *directory.parents) if _exists(parent))]


def _with_neighbours(file: Path) -> Iterator[Path]:
    """A test file itself; what several of them use: all in its directory, but for what serves all of tests/."""
    if file.name.startswith("test_"):
        if _exists(file):
            yield file
    elif file.parts[:2] not in {("tests", "support"), ("tests", "factories")} and _exists(file.parent):
        yield file.parent


def _imports(module: Path) -> re.Pattern[str]:
    """Finds `import a.b.c` and `from a.b import c`; one test too many is only run for nothing."""
    parts = [re.escape(part) for part in module.with_suffix("").parts if part != "__init__"]
    whole, package = r"\.".join(parts), r"\.".join(parts[:-1])
    return re.compile(rf"\b{whole}\b|from {package} import [\w\s,(]*\b{parts[-1]}\b")


@cache
def _texts() -> list[tuple[Path, str]]:
    """Of all files below tests/. What only tests/conftest.py imports is left to the tests that mirror it."""
    found = sorted((ROOT / "tests").glob("*/**/*.py"))
    return [(file.relative_to(ROOT), file.read_text()) for file in found]


def _exists(path: Path) -> bool:
    return (ROOT / path).exists()


def _git(*arguments: str, fails: bool = False) -> tuple[int, str]:
    """Exit status and output. Raises CalledProcessError unless it may fail."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE, check=not fails, text=True)
    return done.returncode, done.stdout


if __name__ == "__main__":
    main(*sys.argv[1:])

"""What the tests of the TypeScript client need: npm, its packages, and the package that partners get."""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings

from apps.docs.clients import PACKAGES, newest
from tests.support.tools import REQUIRED

ROOT = Path(settings.BASE_DIR)
CLIENT = ROOT / "clients" / "typescript"


def run(words: Sequence[str], place: Path, *, told: bytes = b"", **variables: str) -> str:
    """What a program prints. It must end well."""
    done = subprocess.run(words, cwd=place, input=told, capture_output=True, env={**os.environ, **variables})
    said = (done.stdout + done.stderr).decode()
    assert done.returncode == 0, said
    return said


@pytest.fixture(scope="session")
def client() -> Path:
    """Where the client is, with the packages that it is built with. What a bare machine lacks is a skip, in CI a failure."""
    lacking = lacks()
    if lacking and not REQUIRED:
        pytest.skip(f"waits for {lacking}; under REQUIRE_BROWSER=1 it is not skipped but fails")
    assert not lacking, lacking
    return CLIENT


def lacks() -> str:
    """What is missing on this machine; "" where nothing is."""
    if shutil.which("npm") is None:
        return "npm"
    if int(run(["node", "--print", "process.versions.node.split('.')[0]"], ROOT)) < 20:
        return "Node 20 or newer"
    try:
        with by_one_process():
            run(["make", "clients/typescript/node_modules/.ready"], ROOT)
    except AssertionError as failed:
        return f"the packages of clients/typescript ({failed})"
    return ""


@pytest.fixture(scope="session")
def package() -> Path:
    """The file that partners install."""
    found = newest("TypeScript")
    assert found is not None
    return PACKAGES / found.file


@pytest.fixture
def consumer(client: Path, package: Path, tmp_path: Path) -> Path:
    """A partner's project: the packed client installed, nothing else but the compiler's types of Node."""
    shutil.copytree(Path(__file__).parent / "consumer", tmp_path, dirs_exist_ok=True)
    (tmp_path / "package.json").write_text('{"type": "module", "private": true}')
    run(["npm", "install", "--offline", "--no-save", "--ignore-scripts", str(package)], tmp_path)
    return tmp_path


def compiled(consumer: Path) -> None:
    types = CLIENT / "node_modules" / "@types"
    run([str(CLIENT / "node_modules" / ".bin" / "tsc"), "--typeRoots", str(types)], consumer)


@contextmanager
def by_one_process() -> Iterator[None]:
    """Test processes build in the same directories: one after the other."""
    with (ROOT / "Makefile").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield

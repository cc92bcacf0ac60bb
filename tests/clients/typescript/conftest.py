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
    """Where the client is, with the packages that it is built with."""
    if shutil.which("npm") is None and not REQUIRED:
        pytest.skip("waits for npm; under REQUIRE_BROWSER=1 it is not skipped but fails")
    with by_one_process():
        run(["make", "clients/typescript/node_modules/.ready"], ROOT)
    return CLIENT


@pytest.fixture(scope="session")
def package(client: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that partners install."""
    place = tmp_path_factory.mktemp("package")
    with by_one_process():
        name = run(["make", "--silent", "clients-typescript"], ROOT).split()[-1]
        return Path(shutil.copy(client / name, place))


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

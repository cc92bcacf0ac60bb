"""The generators, with the commands that their own manuals give."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.generators.tools import NODE, PYTHON_TOOLS, npm_version, python_version

PACKAGE = "partner_client"
Command = list[str]


@dataclass(frozen=True)
class Generator:
    """`generate(document, client)` is the command that fills the directory `client`. The folder holds our program."""

    name: str
    folder: str
    version: Callable[[], str]
    generate: Callable[[Path, Path], Command]
    in_typescript: bool = False


def openapi_generator(language: str, *more: str) -> Callable[[Path, Path], Command]:
    def command(document: Path, client: Path) -> Command:
        tool = str(PYTHON_TOOLS / "bin" / "openapi-generator-cli")
        return [tool, "generate", "-g", language, "-i", str(document), "-o", str(client), *more]

    return command


def openapi_python_client(document: Path, client: Path) -> Command:
    """A warning is an error."""
    tool = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--fail-on-warning"]
    return [*tool, "--path", str(document), "--output-path", str(client / PACKAGE), "--config", str(NO_HOOKS)]


def node_tool(name: str, *arguments: str) -> Command:
    return [str(NODE / "node_modules" / ".bin" / name), *arguments]


# Otherwise it makes every field that has a default one that must be sent.
LEAVE_OUT_DEFAULTS = ("--default-non-nullable", "false")
NO_HOOKS = Path(__file__).parent / "openapi_python_client" / "config.json"

GENERATORS = (
    Generator(
        "openapi-generator -g python",
        "openapi_generator_python",
        lambda: python_version("openapi-generator-cli", PYTHON_TOOLS),
        openapi_generator("python", "--package-name", PACKAGE),
    ),
    Generator(
        "openapi-python-client",
        "openapi_python_client",
        lambda: python_version("openapi-python-client"),
        openapi_python_client,
    ),
    Generator(
        "openapi-generator -g typescript-axios",
        "openapi_generator_typescript_axios",
        lambda: python_version("openapi-generator-cli", PYTHON_TOOLS),
        openapi_generator("typescript-axios", "--additional-properties", "importFileExtension=.js"),
        in_typescript=True,
    ),
    Generator(
        "openapi-typescript, openapi-fetch",
        "openapi_typescript",
        lambda: f"{npm_version('openapi-typescript')}, {npm_version('openapi-fetch')}",
        lambda document, client: node_tool(
            "openapi-typescript", str(document), "--output", str(client / "schema.d.ts"), *LEAVE_OUT_DEFAULTS
        ),
        in_typescript=True,
    ),
    Generator(
        "@hey-api/openapi-ts",
        "hey_api",
        lambda: npm_version("@hey-api/openapi-ts"),
        lambda document, client: node_tool(
            "openapi-ts", "--input", str(document), "--output", str(client), "--no-log-file"
        ),
        in_typescript=True,
    ),
)

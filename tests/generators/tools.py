"""Where the generators are installed: under var/, from the pins beside this file (`make generators` sees to it)."""

import json
import shutil
import subprocess
from importlib.metadata import distributions, version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "var" / "generators"
PYTHON_TOOLS = PLACE / "python-tools"
"""The openapi-generator wheel and its Java: 130 MB that nothing else needs, so they stay out of .venv."""
NODE = PLACE / "node"
NODE_NEEDED = (20, 19)


def missing_tools() -> str:
    """What is missing here, in a sentence; "" where nothing is."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "Node.js with npm is needed: three of the generators are npm packages."
    found = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    major, minor = found.removeprefix("v").split(".")[:2]
    if (int(major), int(minor)) < NODE_NEEDED:
        return f"Node.js {'.'.join(map(str, NODE_NEEDED))} or newer is needed, this is {found}."
    return ""


def python_version(package: str, where: Path | None = None) -> str:
    if where is None:
        return version(package)
    [found] = distributions(name=package, path=[str(where)])
    return found.version


def npm_version(package: str) -> str:
    found: str = json.loads((NODE / "node_modules" / package / "package.json").read_text())["version"]
    return found

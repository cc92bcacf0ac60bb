"""Check an evidence pack: every file against the SHA-256 that manifest.json has of it. Python 3.8 or newer, nothing else.

python3 verify.py                 the folder that this file is in
python3 verify.py evidence.zip    a pack that is not unpacked, or another folder
"""

import hashlib
import json
import sys
import zipfile
from pathlib import Path, PurePosixPath

MANIFEST = "manifest.json"


def contents(place: Path) -> "dict[str, bytes]":
    """The files of a folder or of a ZIP, by name, without the folder that all of them are in."""
    if place.is_dir():
        files = [path for path in place.iterdir() if path.is_file()]
        return {path.name: path.read_bytes() for path in files}
    with zipfile.ZipFile(place) as pack:
        names = [name for name in pack.namelist() if not name.endswith("/")]
        if len(names) != len(set(names)):
            raise ValueError("a name is in the pack twice")
        return {"/".join(PurePosixPath(name).parts[1:]): pack.read(name) for name in names}


def problems(files: "dict[str, bytes]") -> "list[str]":
    """What is wrong, in words; nothing where all is as it was written."""
    if MANIFEST not in files:
        return [f"{MANIFEST} is missing"]
    try:
        listed = {each["name"]: each["sha256"] for each in json.loads(files[MANIFEST])["files"]}
    except (ValueError, KeyError, TypeError):
        return [f"{MANIFEST} cannot be read"]
    found = [f"{name} is missing" for name in listed if name not in files]
    found += [f"{name} is not in the manifest" for name in files if name not in listed and name != MANIFEST]
    for name, digest in listed.items():
        if name in files and hashlib.sha256(files[name]).hexdigest() != digest:
            found.append(f"{name} was altered")
    return found


def main(arguments: "list[str]") -> int:
    place = Path(arguments[0]) if arguments else Path(__file__).resolve().parent
    try:
        files = contents(place)
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        print(f"cannot be read: {error}")
        return 2
    wrong = problems(files)
    for problem in wrong:
        print(problem)
    if not wrong:
        print(f"{len(files) - 1} files are as they were written")
        print(f"SHA-256 of {MANIFEST}: {hashlib.sha256(files[MANIFEST]).hexdigest()}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

import re
from itertools import pairwise
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent.parent


def test_every_variable_that_is_read_is_in_the_example_and_no_other():
    read = re.findall(r'\benv(?:\.\w+)?\(\s*"([A-Z_]+)"', (BASE_DIR / "config/settings.py").read_text())
    read += re.findall(r"\$\{([A-Z_]+)", (BASE_DIR / "Procfile").read_text())
    named = re.findall(r"^#?([A-Z_]+)=", (BASE_DIR / ".env.example").read_text(), re.MULTILINE)
    assert set(named) == set(read)
    assert len(named) == len(set(named))


def test_every_variable_is_explained_just_above_it():
    lines = (BASE_DIR / ".env.example").read_text().splitlines()
    unexplained = [
        line
        for above, line in pairwise(lines)
        if re.match(r"#?[A-Z_]+=", line) and not re.match(r"# \S|#?[A-Z_]+=", above)
    ]
    assert unexplained == []

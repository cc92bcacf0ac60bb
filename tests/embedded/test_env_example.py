import re
from itertools import pairwise
from pathlib import Path

import pytest
from django.conf import settings

from apps.suppliers.vendors import vendors_of
from tests.embedded.support import documented_settings, names_in

BASE_DIR = Path(__file__).resolve().parent.parent.parent


EXAMPLES = [BASE_DIR / ".env.example", *sorted(BASE_DIR.glob("apps/*/suppliers/*/env.example"))]


def test_every_variable_that_is_read_is_documented_and_no_other():
    settings_file = (BASE_DIR / "config/settings.py").read_text()
    read = re.findall(r'\benv\.\w+\(\s*(?:int, |float, )?"([A-Z_]+)"', settings_file)
    read += re.findall(r"\$\{([A-Z_]+)", (BASE_DIR / "Procfile").read_text())
    assert set(documented_settings()) == set(read)
    assert set(names_in(BASE_DIR / ".env.example")) <= set(read)


def test_every_variable_of_a_supplier_is_in_its_example_and_no_other():
    read = [
        variable.name
        for product in settings.SUPPLIERS
        for vendor in vendors_of(product).values()
        for variable in vendor.credentials.values()
    ]
    assert sorted(set(read)) == sorted(name for example in EXAMPLES[1:] for name in names_in(example))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.parent.name)
def test_every_variable_is_explained_just_above_it(example: Path):
    lines = example.read_text().splitlines()
    unexplained = [
        line
        for above, line in pairwise(lines)
        if re.match(r"#?[A-Z_]+=", line) and not re.match(r"# \S|#?[A-Z_]+=", above)
    ]
    assert unexplained == []

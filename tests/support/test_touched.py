from pathlib import Path

import pytest

from tests.support import touched


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project in place of this one."""
    for name, text in {
        "apps/hotels/services/cancel.py": "",
        "tests/conftest.py": "from apps.hotels.services import cancel",
        "tests/hotels/conftest.py": "",
        "tests/hotels/desk.py": "from apps.hotels.models import Stay",
        "tests/hotels/test_views.py": "from apps.hotels.services import (\n    book,\n    cancel,\n)",
        "tests/hotels/services/test_cancel.py": "",
        "tests/hotels/services/test_cancel_races.py": "",
        "tests/hotels/services/test_cancelled.py": "from apps.hotels.services.cancelled import cancelled",
        "tests/embedded/test_procfile.py": 'PROCESSES = ROOT / "Procfile"',
        "tests/portal/test_home.py": "import apps.portal.views.home",
        "tests/clients/typescript/test_live.py": "",
        "tests/support/api.py": "",
        "tests/journeys/test_stay.py": "from tests.support.api import Api",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(touched, "ROOT", tmp_path)
    touched._texts.cache_clear()
    return tmp_path


@pytest.fixture(autouse=True)
def texts_forgotten():
    yield
    touched._texts.cache_clear()


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("tests/hotels/test_views.py", {"tests/hotels/test_views.py"}),
        ("tests/hotels/test_removed.py", set()),
        ("tests/hotels/desk.py", {"tests/hotels"}),
        ("tests/hotels/services/conftest.py", {"tests/hotels/services"}),
        # its own tests, and who imports it; tests/conftest.py does not make that everything
        (
            "apps/hotels/services/cancel.py",
            {
                "tests/hotels/services/test_cancel.py",
                "tests/hotels/services/test_cancel_races.py",
                "tests/hotels/test_views.py",
            },
        ),
        # no test of its own: those of its directory
        ("apps/hotels/services/book.py", {"tests/hotels/services", "tests/hotels/test_views.py"}),
        # a helper imports it: all who may use the helper
        ("apps/hotels/models.py", {"tests/hotels"}),
        ("apps/portal/views/home.py", {"tests/portal"}),
        ("tests/support/api.py", {"tests/journeys/test_stay.py"}),
        ("templates/portal/home/index.html", {"tests/portal"}),
        ("clients/typescript/src/retry.ts", {"tests/clients/typescript"}),
        ("clients/cobol/README.md", set()),
        ("deploy/nginx/upstream.conf", {"tests/deploy"}),
        ("Procfile", {"tests/embedded/test_procfile.py"}),
        ("README.md", set()),
        ("config/settings.py", {"tests"}),
    ],
)
@pytest.mark.usefixtures("tree")
def test_a_changed_file_touches_its_tests(changed: str, tests: set[str]):
    assert touched.touched([changed]) == tests


@pytest.mark.usefixtures("tree")
def test_what_lies_in_a_touched_directory_is_not_named_again():
    assert touched.touched(["tests/hotels/desk.py", "tests/hotels/services/test_cancel.py"]) == {
        "tests/hotels"
    }

"""No module imports one that imports it, directly or through others. import-linter checks the directions between the apps."""

from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest
from django.conf import settings

APPS = sorted(path.parent.name for path in Path(settings.BASE_DIR).glob("apps/*/__init__.py"))


@cache
def imports() -> dict[str, set[str]]:
    """What each module imports; imports inside functions and those for type checking count."""
    graph = grimp.build_graph("apps", cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def circle_in(graph: dict[str, set[str]]) -> list[str]:
    """One circle, with its first module again at the end; empty where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_a_circle_is_found():
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert set(circle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}


@pytest.mark.parametrize("app", APPS)
def test_no_modules_of_an_app_import_each_other_in_a_circle(app: str):
    inside = {module: imported for module, imported in imports().items() if module.startswith(f"apps.{app}.")}

    assert len(inside) > 1
    assert circle_in(inside) == []

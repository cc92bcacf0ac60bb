"""Nobody knows a supplier by its name: its folder is reached through the product's registry, and by itself."""

import pytest

from tests.architecture.test_import_circles import imports


def folder_of(module: str) -> str | None:
    """`apps.esim.suppliers.airalo` of all that lies in it; None for what is no supplier's."""
    parts = module.split(".")
    folder = ".".join(parts[:4])
    return folder if parts[2:3] == ["suppliers"] and f"{folder}.vendor" in imports() else None


FOLDERS = sorted({folder for module in imports() if (folder := folder_of(module))})


def test_all_suppliers_are_looked_at() -> None:
    assert {
        f"apps.{product}.suppliers.simulator" for product in ("esim", "flights", "hotels", "transfers")
    } < {*FOLDERS}
    assert folder_of("apps.esim.suppliers.base") is None


@pytest.mark.parametrize("folder", FOLDERS)
def test_nothing_outside_a_suppliers_folder_imports_from_it(folder: str) -> None:
    inside = {module for module in imports() if folder_of(module) == folder}
    outside = {module: used & inside for module, used in imports().items() if module not in inside}
    assert {module: used for module, used in outside.items() if used} == {}

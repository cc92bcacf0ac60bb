import pytest

from apps.suppliers import errors
from tests.judge.wire import error_from_json, error_to_json

# Those that adapters may raise; what a connector uses within itself crosses no wire.
PUBLIC = [cls for cls in errors.SupplierError.__subclasses__() if cls.__module__ == errors.__name__]


@pytest.mark.parametrize("cls", [cls for cls in PUBLIC if cls is not errors.PriceChanged])
def test_every_supplier_error_crosses_with_its_words(cls: type[errors.SupplierError]) -> None:
    crossed = error_from_json(error_to_json(cls("sold out")))
    assert (type(crossed), str(crossed)) == (cls, "sold out")


def test_a_changed_price_crosses_with_the_price() -> None:
    crossed = error_from_json(error_to_json(errors.PriceChanged(12_345)))
    assert isinstance(crossed, errors.PriceChanged)
    assert crossed.current_cents == 12_345


def test_an_unknown_error_is_not_guessed_at() -> None:
    with pytest.raises(KeyError):
        error_from_json({"type": "Sulking", "message": ""})

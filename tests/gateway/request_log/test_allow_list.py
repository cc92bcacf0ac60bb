"""What may be kept of a body is what its serializer says, and nothing is by itself."""

from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from rest_framework.serializers import CharField

from apps.common import errors
from apps.gateway import fields
from apps.gateway.openapi import document
from apps.gateway.request_log import allow_list as allow_list_module
from apps.gateway.request_log.allow_list import AllowList, _declared_by, allow_list
from apps.gateway.serializers import Body
from tests.support.operations import operations


def test_every_closed_set_is_the_documents_own():
    """A word that the API starts to speak is kept only where its field says `logged=True`."""
    judged = {name: allow_list().forms[name] for name in ("cabin", "eventType", "status", "type")}
    missing = [(name, word) for name, word in enums(document()) if name in judged and not judged[name](word)]

    assert missing == []


def enums(schema: Any, name: str = "") -> list[tuple[str, str]]:
    """Every word of every enumeration in the document, with the property that has it."""
    if isinstance(schema, list):
        return [found for item in schema for found in enums(item, name)]
    if not isinstance(schema, dict):
        return []
    own = [(name, word) for word in schema.get("enum", []) if isinstance(word, str)]
    properties = schema.get("properties")
    named = properties if isinstance(properties, dict) else {}
    below = [found for key, item in named.items() for found in enums(item, key)]
    rest = [item for key, item in schema.items() if key not in {"properties", "enum"}]
    return own + below + [found for item in rest for found in enums(item, "")]


def test_every_query_parameter_is_a_name_of_ours():
    parameters = {parameter.name for operation in operations() for parameter in operation.route.query}

    assert len(parameters) > 10
    assert parameters - allow_list().names == set()


def test_a_field_is_not_kept_unless_it_says_so():
    class Given(Body):
        nickname = fields.Id()
        handle = fields.Id(logged=True)

    found = _declared_by({Given})
    assert (set(found.forms), found.names) == ({"handle"}, {"nickname", "handle"})


def test_free_text_cannot_be_logged():
    class Given(Body):
        nickname = fields.Text(logged=True)

    with pytest.raises(ImproperlyConfigured, match="nickname"):
        _declared_by({Given})


def test_no_list_is_opened_that_holds_what_suppliers_found():
    assert {
        "offers",
        "hotels",
        "quotes",
        "rates",
        "options",
        "data",
        "payload",
    } & allow_list().opened == set()


def test_the_allow_list_is_read_of_the_serializers_of_every_app(monkeypatch: pytest.MonkeyPatch):
    """Also in a process that has no URL map, as a worker."""
    imported: list[str] = []
    monkeypatch.setattr(allow_list_module, "import_module", imported.append)
    monkeypatch.setattr(  # the classes of other tests are none of the service's
        allow_list_module, "_declared_by", lambda bodies: AllowList({}, frozenset(), frozenset())
    )
    allow_list.__wrapped__()

    apps = Path(errors.__file__).parents[1]
    assert sorted(imported) == sorted(
        ".".join(["apps", *path.relative_to(apps).with_suffix("").parts])
        for path in apps.rglob("serializers*")
        if path.stem == "serializers" and path.parent.name != "__pycache__"
    )
    assert len(imported) > 5


@pytest.mark.parametrize(
    ("path", "is_known"),
    [
        ("rooms", True),
        ("rooms.999.adults", True),
        ("rooms.1000.adults", False),
        ("rooms.0.Ada", False),
        ("rooms.-1", False),
        ("", False),
        (7, False),
        (None, False),
    ],
)
def test_a_path_is_known_by_each_of_its_steps(path: object, is_known: bool):
    assert allow_list().is_known_path(path) is is_known


def test_a_list_of_bodies_is_looked_into_where_it_says_so():
    class Below(Body):
        handle = fields.Id(logged=True)

    class Given(Body):
        opened = Below(many=True, logged=True)  # type: ignore[call-arg]
        closed = Below(many=True)
        one = Below(logged=True)
        plain = CharField()

    found = _declared_by({Given})
    assert found.names == {"opened", "closed", "one", "plain"}
    assert (found.opened, set(found.forms)) == ({"opened", "one"}, set())


def test_the_bodies_below_a_body_are_found_at_every_depth():
    class Base(Body):
        pass

    class Below(Base):
        pass

    class Deeper(Below):
        pass

    assert list(allow_list_module._subclasses(Base)) == [Below, Deeper]

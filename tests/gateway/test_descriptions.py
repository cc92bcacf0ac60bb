"""What the document says of a field, and how it says it beside a reference."""

from rest_framework import serializers

from apps.gateway import fields
from apps.gateway.declared import described, notes
from apps.gateway.openapi.hooks import beside_references


class Worded(fields.Id):
    sentence = "An id."
    notation = "Letters and digits."


def test_a_field_is_told_in_its_own_words_then_how_it_is_written():
    assert described(Worded(help_text="The boat.")) == "The boat. Letters and digits."


def test_a_field_without_words_of_its_own_has_those_of_its_class():
    assert described(Worded()) == "An id. Letters and digits."


def test_a_list_of_values_has_a_release_of_its_own():
    sails = fields.Many(child=fields.Flag(since="1.2"), help_text="The sails.")

    assert isinstance(sails, serializers.ListField)
    assert "x-since" not in notes(sails)
    assert notes(fields.Many(child=fields.Flag(), since="1.2", help_text="The sails."))["x-since"] == "1.2"


def test_what_is_said_of_a_reference_stands_beside_it_at_any_depth():
    wrapped = {"allOf": [{"$ref": "#/a"}], "description": "The boat."}
    two = {"allOf": [{"$ref": "#/a"}, {"$ref": "#/b"}]}
    document = {"one": wrapped, "list": [{"deep": dict(wrapped)}], "two": two, "text": "x"}

    assert beside_references(document) == {
        "one": {"$ref": "#/a", "description": "The boat."},
        "list": [{"deep": {"$ref": "#/a", "description": "The boat."}}],
        "two": {"allOf": [{"$ref": "#/a"}, {"$ref": "#/b"}]},
        "text": "x",
    }

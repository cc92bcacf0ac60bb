"""What the document says of a field, and how it says it beside a reference."""

from rest_framework import serializers

from apps.gateway import fields
from apps.gateway.declared import described, notes
from apps.gateway.openapi.hooks import beside_references
from apps.gateway.serializers import AnswerBody


class Worded(fields.Id):
    sentence = "An id."
    notation = "Letters and digits."


def test_a_field_is_told_in_its_own_words_then_how_it_is_written():
    assert described(Worded(help_text="The boat.")) == "The boat. Letters and digits."


def test_a_field_without_words_of_its_own_has_those_of_its_class():
    assert described(Worded()) == "An id. Letters and digits."


def test_a_foreign_field_has_its_help_text_or_nothing():
    told = serializers.CharField(help_text="A name.")

    assert [described(told), described(serializers.CharField())] == ["A name.", ""]


def test_the_document_names_the_release_only_where_there_is_one():
    assert notes(fields.Flag(help_text="Afloat.")) == {"description": "Afloat."}
    assert notes(fields.Flag(help_text="Afloat.", since="1.2")) == {
        "description": "Afloat.",
        "x-since": "1.2",
    }
    assert notes(serializers.CharField()) == {}


def test_a_list_of_values_has_a_release_of_its_own():
    sails = fields.Many(child=fields.Flag(since="1.2"), help_text="The sails.")

    assert isinstance(sails, serializers.ListField)
    assert "x-since" not in notes(sails)
    assert notes(fields.Many(child=fields.Flag(), since="1.2", help_text="The sails."))["x-since"] == "1.2"


def test_a_list_of_objects_has_the_release_of_its_objects():
    class SailAnswer(AnswerBody):
        pass

    assert notes(SailAnswer(many=True, since="1.2"))["x-since"] == "1.2"


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

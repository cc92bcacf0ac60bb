"""Fields of forms are written as Django's own templates write them."""

from typing import Any

import pytest
from django import forms
from django.conf import settings
from django.forms.renderers import DjangoTemplates, get_default_renderer
from django.utils.safestring import mark_safe

from apps.common import form_renderer
from apps.common.form_renderer import FormRenderer

HOSTILE = """<b>"it's" & 'more'</b>"""
ATTRIBUTES: dict[str, Any] = {
    "id": "x",
    HOSTILE: HOSTILE,
    "required": True,
    "hidden": False,
    "data-n": 7,
    "none": None,
}
CHOICES = [
    ("", "Any"),
    (HOSTILE, HOSTILE),
    (7, "Seven"),
    ("Group <1>", [("a", "A"), ("b", mark_safe("<i>B</i>"))]),
]
WIDGETS: list[tuple[forms.Widget, Any]] = [
    *((forms.TextInput(ATTRIBUTES), value) for value in ("", None, HOSTILE, 0, mark_safe("&amp;"))),
    *(
        (kind(), "1")
        for kind in (
            forms.HiddenInput,
            forms.EmailInput,
            forms.NumberInput,
            forms.URLInput,
            forms.SearchInput,
        )
    ),
    (forms.DateTimeInput(), "2026-11-23T14:05"),
    (forms.PasswordInput(render_value=True), HOSTILE),
    *((forms.Select(ATTRIBUTES, CHOICES), value) for value in (None, "", HOSTILE, 7, "b", "unknown")),
    (forms.Select(choices=[]), ""),
    (forms.SelectMultiple(choices=CHOICES), ["a", 7]),
    (forms.NullBooleanSelect(), True),
    (forms.CheckboxInput(), True),
    (forms.Textarea(), HOSTILE),
    (forms.RadioSelect(choices=CHOICES), "a"),
]


@pytest.mark.parametrize(("widget", "value"), WIDGETS, ids=lambda each: str(each)[:40])
def test_a_field_is_written_as_djangos_templates_write_it(widget: forms.Widget, value: Any) -> None:
    ours, djangos = (
        widget.render(HOSTILE, value, {"autocomplete": "off"}, renderer)
        for renderer in (FormRenderer(), DjangoTemplates())
    )
    assert ours == djangos


def test_every_kind_of_input_that_is_written_so_is_djangos_input() -> None:
    renderer = DjangoTemplates()
    widget = {"widget": {"type": "t", "name": "n", "value": "v", "attrs": {"id": "x"}}}
    assert form_renderer.INPUTS
    assert {renderer.render(name, widget) for name in form_renderer.INPUTS} == {
        '<input type="t" name="n" value="v" id="x">'
    }


def test_forms_are_rendered_by_it() -> None:
    assert isinstance(get_default_renderer(), FormRenderer)
    assert settings.FORM_RENDERER == "apps.common.form_renderer.FormRenderer"


def test_choices_with_a_template_of_their_own_keep_it() -> None:
    class Own(forms.Select):
        option_template_name = "django/forms/widgets/radio_option.html"

    widget = Own(choices=[("a", "A")])
    assert widget.render("n", "a", None, FormRenderer()) == widget.render("n", "a", None, DjangoTemplates())

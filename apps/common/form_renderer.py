"""Writes the commonest fields of forms without templates, letter for letter as Django's templates write them.

Django renders each field, each of a list's choices and the attributes of each of these by a template of its own: of the list of
requests, whose filters have three lists of choices, that was a sixth of the whole page.
"""

from collections.abc import Mapping
from typing import Any

from django.forms.renderers import DjangoTemplates
from django.utils.html import conditional_escape

Widget = Mapping[str, Any]

FOLDER = "django/forms/widgets/"
SELECT, OPTION = f"{FOLDER}select.html", f"{FOLDER}select_option.html"
INPUTS = frozenset(
    f"{FOLDER}{kind}.html"
    for kind in ("input", "text", "hidden", "email", "number", "password", "search", "url", "datetime")
)
"""Templates that are nothing but an <input>."""


class FormRenderer(DjangoTemplates):
    def render(self, template_name: str, context: dict[str, Any], request: Any = None) -> str:
        if template_name in INPUTS:
            return input_html(context["widget"])
        if template_name == SELECT and all(
            option["template_name"] == OPTION for option in options_of(context["widget"])
        ):
            return select_html(context["widget"])
        return super().render(template_name, context, request)


def options_of(widget: Widget) -> list[Widget]:
    return [option for _, options, _ in widget["optgroups"] for option in options]


def input_html(widget: Widget) -> str:
    value = "" if widget["value"] is None else f' value="{conditional_escape(widget["value"])}"'
    named = f'type="{conditional_escape(widget["type"])}" name="{conditional_escape(widget["name"])}"'
    return f"<input {named}{value}{attributes(widget)}>"


def select_html(widget: Widget) -> str:
    parts = [f'<select name="{conditional_escape(widget["name"])}"{attributes(widget)}>']
    for name, options, _ in widget["optgroups"]:
        if name:
            parts.append(f'\n  <optgroup label="{conditional_escape(name)}">')
        parts.extend(f"\n  {option_html(option)}\n" for option in options)
        if name:
            parts.append("\n  </optgroup>")
    return "".join([*parts, "\n</select>"])


def option_html(option: Widget) -> str:
    value, label = conditional_escape(option["value"]), conditional_escape(option["label"])
    return f'<option value="{value}"{attributes(option)}>{label}</option>'


def attributes(widget: Widget) -> str:
    """Those that are True stand alone, those that are False are left out."""
    return "".join(
        f" {conditional_escape(name)}"
        if value is True
        else f' {conditional_escape(name)}="{conditional_escape(value)}"'
        for name, value in widget["attrs"].items()
        if value is not False
    )

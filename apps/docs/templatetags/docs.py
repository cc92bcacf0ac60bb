"""Tags for the templates of the documentation. Those that show calls write Markdown, for guides."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from apps.docs import recorded
from apps.docs.rendering import in_line

register = template.Library()
register.filter("in_line", in_line)


@register.simple_tag
def sample(operation_id: str) -> SafeString:
    return mark_safe(recorded.sample(operation_id))  # noqa: S308 - our own text


@register.simple_tag
def answer(operation_id: str, name: str, *paths: str) -> SafeString:
    return mark_safe(recorded.answer(operation_id, name, *paths))  # noqa: S308 - our own text


@register.simple_tag
def event(type: str, name: str) -> SafeString:
    return mark_safe(recorded.event(type, name))  # noqa: S308 - our own text

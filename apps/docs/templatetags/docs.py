"""Tags for the templates of the documentation. Those that show calls write Markdown, for guides."""

from django import template

from apps.docs import recorded
from apps.docs.rendering import in_line

register = template.Library()
register.filter("in_line", in_line)
register.simple_tag(recorded.sample, name="sample")
register.simple_tag(recorded.answer, name="answer")
register.simple_tag(recorded.event, name="event")

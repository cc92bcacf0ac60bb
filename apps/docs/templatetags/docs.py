"""Tags for the templates of the documentation. Those that show calls write Markdown, for guides."""

from django import template

from apps.docs import clients, facts
from apps.docs.rendering import in_line

register = template.Library()
register.filter("in_line", in_line)
register.simple_tag(facts.sample, name="sample")
register.simple_tag(facts.call, name="call")
register.simple_tag(facts.answer, name="answer")
register.simple_tag(facts.event, name="event")
register.simple_tag(facts.verifier, name="verifier")
register.simple_tag(clients.install, name="install")

from django import forms

from apps.accounts.selectors.audit import Filters
from apps.common.environments import Environment
from apps.portal.forms.days import day_field, midnight

GROUPS = {
    "team": "Team",
    "keys": "API keys",
    "webhooks": "Webhooks",
    "access": "Production access",
    "account": "Status and limits",
    "sign_in": "Sign-in",
}


class AuditFilters(forms.Form):
    """What is in the address narrows the list, what cannot be read is said beside its field."""

    actor = forms.CharField(label="Who", required=False, max_length=254)
    action = forms.ChoiceField(label="What", choices=[("", "Any"), *GROUPS.items()], required=False)
    environment = forms.ChoiceField(
        choices=[("", "Any"), *((value, value.capitalize()) for value in Environment.values)], required=False
    )
    since = day_field("From")
    until = day_field("To")

    @property
    def is_narrowed(self) -> bool:
        return any(self.data.get(name) for name in self.fields)

    def filters(self) -> Filters:
        """Of what was readable; a field that is not leaves the list as it is."""
        said = getattr(self, "cleaned_data", {})
        return Filters(
            actor=said.get("actor") or "",
            group=said.get("action") or "",
            environment=said.get("environment") or "",
            since=midnight(said.get("since")),
            until=midnight(said.get("until"), days=1),
        )

from django import forms

from apps.accounts.selectors.audit import Filters
from apps.common.environments import Environment
from apps.portal.forms.filters import ListFilters

GROUPS = {
    "team": "Team",
    "keys": "API keys",
    "webhooks": "Webhooks",
    "access": "Production access",
    "account": "Status and limits",
    "sign_in": "Sign-in",
}


class AuditFilters(ListFilters):
    field_order = ["actor", "action", "environment"]

    actor = forms.CharField(label="Who", required=False, max_length=254)
    action = forms.ChoiceField(label="What", choices=[("", "Any"), *GROUPS.items()], required=False)
    environment = forms.ChoiceField(
        choices=[("", "Any"), *((value, value.capitalize()) for value in Environment.values)], required=False
    )

    def filters(self) -> Filters:
        return Filters(
            actor=self.said("actor"),
            group=self.said("action"),
            environment=self.said("environment"),
            since=self.begins,
            until=self.ends,
        )

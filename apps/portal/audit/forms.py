from django import forms

from apps.accounts.selectors.audit import Filters
from apps.common.environments import Environment
from apps.portal.list_filters import ListFilters, any_or

GROUPS = {
    "team": "Team",
    "keys": "API keys",
    "webhooks": "Webhooks",
    "bookings": "Bookings",
    "access": "Go live",
    "sandbox": "Sandboxes",
    "account": "Account",
    "sign_in": "Sign-in",
}


class AuditFilters(ListFilters):
    field_order = ["actor", "action", "environment"]

    actor = forms.CharField(label="Who", required=False, max_length=254)
    action = forms.ChoiceField(label="What", choices=any_or(GROUPS.items()), required=False)
    environment = forms.ChoiceField(
        choices=any_or((value, value.capitalize()) for value in Environment.values), required=False
    )

    def filters(self) -> Filters:
        return Filters(
            actor=self.value("actor"),
            group=self.value("action"),
            environment=self.value("environment"),
            since=self.begins,
            until=self.ends,
        )

from django import forms

from apps.portal.saved_views.models import LONGEST_NAME, LONGEST_QUERY


class SavedViewForm(forms.Form):
    name = forms.CharField(
        label="Name", max_length=LONGEST_NAME, error_messages={"required": "Give the view a name."}
    )
    query = forms.CharField(
        max_length=LONGEST_QUERY,
        widget=forms.HiddenInput,
        error_messages={"required": "Nothing is filtered. Filter the list first."},
    )
    shared = forms.BooleanField(label="Shared with the whole account", required=False)

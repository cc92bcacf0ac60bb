"""What a service refuses, on the form: beside its field, or above the form."""

from django import forms

from apps.common.errors import InvalidRequest
from apps.portal.form_errors import add_errors


class AddressForm(forms.Form):
    allowed_ips = forms.CharField()


def errors_after(refusal: InvalidRequest) -> dict[str, list[str]]:
    form = AddressForm({"allowed_ips": "203.0.113.7"})
    assert form.is_valid()
    add_errors(form, refusal, {"allowedIps": "allowed_ips"})
    return form.errors


def test_a_detail_is_shown_beside_the_field_it_names():
    refusal = InvalidRequest(details=[{"field": "allowedIps.0", "message": "Not an address."}])
    assert errors_after(refusal) == {"allowed_ips": ["Not an address."]}


def test_a_detail_about_another_field_is_shown_above_the_form():
    refusal = InvalidRequest(details=[{"field": "name", "message": "Too long."}])
    assert errors_after(refusal) == {"__all__": ["Too long."]}


def test_a_refusal_without_details_is_shown_above_the_form():
    refusal = InvalidRequest("Not now.", details=[])
    assert errors_after(refusal) == {"__all__": ["Not now."]}

"""Incidents in the back office: written by staff, public with the next minute's writing."""

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import HttpRequest

from apps.common import clock
from apps.common.back_office import BackOffice
from apps.status.components import NAMES
from apps.status.models import Impact, Incident, IncidentUpdate


class IncidentForm(forms.ModelForm):  # type: ignore[type-arg]
    products = forms.MultipleChoiceField(
        choices=list(NAMES.items()), widget=forms.CheckboxSelectMultiple, label="Concerns"
    )

    class Meta:
        model = Incident
        fields = ["title", "impact", "products", "started_at", "resolved_at"]


class Updates(forms.BaseInlineFormSet):  # type: ignore[type-arg]
    """Refuses an update from before the incident, or from later than now."""

    def clean(self) -> None:
        super().clean()
        for form in self.forms:
            at = getattr(form, "cleaned_data", {}).get("at")
            if at is None:
                continue
            if at > clock.now():
                form.add_error("at", ValidationError("It cannot have been written later than now."))
            elif self._too_early(form, at):
                form.add_error("at", ValidationError("It cannot be from before the incident began."))

    def _too_early(self, form: Any, at: datetime) -> bool:
        """Maintenance is told of before it begins."""
        began, impact = self.instance.started_at, self.instance.impact
        return bool(form.has_changed() and began and at < began and impact != Impact.MAINTENANCE)


class NamedTimes:
    """Date and time of one column are two inputs under one label: each says which of the two it is."""

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest | None, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)  # type: ignore[misc]
        if isinstance(field, forms.SplitDateTimeField):
            for part, widget in zip(("date", "time"), field.widget.widgets, strict=True):
                widget.attrs["aria-label"] = f"{field.label}, {part}"
        return field


class UpdateInline(NamedTimes, admin.StackedInline):  # type: ignore[type-arg]
    model = IncidentUpdate
    formset = Updates
    extra = 1
    fields = ["at", "stage", "text"]


@admin.register(Incident)
class IncidentAdmin(NamedTimes, BackOffice):
    form = IncidentForm
    list_display = ["started_at", "title", "impact", "concerns", "resolved_at"]
    list_filter = [("resolved_at", admin.EmptyFieldListFilter), "impact"]
    search_fields = ["title"]
    search_help_text = "A word of the title. What is saved here is public within a minute, at /status"
    ordering = ["-started_at", "-id"]
    inlines = [UpdateInline]

    @admin.display(description="concerns")
    def concerns(self, row: Incident) -> str:
        return ", ".join(NAMES[name] for name in row.products if name in NAMES)

    def save_model(self, request: HttpRequest, obj: Incident, form: Any, change: bool) -> None:
        obj.updated_at = clock.now()
        super().save_model(request, obj, form, change)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """What was public stays: a wrong incident is put right by an update."""
        return False

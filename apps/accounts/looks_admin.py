"""What staff looked at, in the back office. Nobody can edit it; the database refuses it as well."""

from django.contrib import admin

from apps.accounts.models import StaffLook
from apps.common.back_office import Huge, ReadOnly


@admin.register(StaffLook)
class StaffLookAdmin(ReadOnly, Huge):
    list_display = ["created_at", "person", "look", "what", "account", "reason", "address"]
    list_filter = ["look"]
    list_select_related = ["account", "person"]
    search_fields = ["=id", "=account__id", "=person__email"]
    search_help_text = "An account's id, or the address of one of us"
    ordering = ["-id"]  # ids sort by time

from django.urls import path, register_converter

from apps.portal.saved_views.views import SavedViewRemoveView, SavedViewsView


class RowNumber:
    """The number of a row: no longer one fits a bigint for certain."""

    regex = "[0-9]{1,18}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


register_converter(RowNumber, "row_number")

urlpatterns = [
    path("<slug:list_name>/", SavedViewsView.as_view(), name="saved_views"),
    path(
        "<slug:list_name>/<row_number:view_id>/remove/",
        SavedViewRemoveView.as_view(),
        name="saved_view_remove",
    ),
]

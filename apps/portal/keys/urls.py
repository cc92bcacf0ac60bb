from django.urls import path

from apps.portal.keys.change_views import KeyAddressesView, KeyRenameView, KeyRevokeView
from apps.portal.keys.rotation_views import EndOldSecretsView, KeyRotateView
from apps.portal.keys.secret_views import KeyCreateView, KeySecretView
from apps.portal.keys.views import KeyDetailView, KeyListView

urlpatterns = [
    path("", KeyListView.as_view(), name="keys"),
    path("new/", KeyCreateView.as_view(), name="key_new"),
    path("<str:key_id>/", KeyDetailView.as_view(), name="key"),
    path("<str:key_id>/secret/", KeySecretView.as_view(), name="key_secret"),
    path("<str:key_id>/name/", KeyRenameView.as_view(), name="key_rename"),
    path("<str:key_id>/addresses/", KeyAddressesView.as_view(), name="key_addresses"),
    path("<str:key_id>/rotate/", KeyRotateView.as_view(), name="key_rotate"),
    path("<str:key_id>/end-old/", EndOldSecretsView.as_view(), name="key_end_old"),
    path("<str:key_id>/revoke/", KeyRevokeView.as_view(), name="key_revoke"),
]

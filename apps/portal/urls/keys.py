from django.urls import path

from apps.portal.views.keys.changing import ChangeAddresses, EndOldSecrets, RenameKey, RevokeKey, RotateKey
from apps.portal.views.keys.issuing import NewKey, Secret
from apps.portal.views.keys.listing import Keys
from apps.portal.views.keys.one import Key

urlpatterns = [
    path("", Keys.as_view(), name="keys"),
    path("new/", NewKey.as_view(), name="key_new"),
    path("<str:key_id>/", Key.as_view(), name="key"),
    path("<str:key_id>/secret/", Secret.as_view(), name="key_secret"),
    path("<str:key_id>/name/", RenameKey.as_view(), name="key_rename"),
    path("<str:key_id>/addresses/", ChangeAddresses.as_view(), name="key_addresses"),
    path("<str:key_id>/rotate/", RotateKey.as_view(), name="key_rotate"),
    path("<str:key_id>/end-old/", EndOldSecrets.as_view(), name="key_end_old"),
    path("<str:key_id>/revoke/", RevokeKey.as_view(), name="key_revoke"),
]

"""DRF's tokens, under the word that our keys come with."""

from rest_framework.authentication import TokenAuthentication


class BearerToken(TokenAuthentication):
    keyword = "Bearer"

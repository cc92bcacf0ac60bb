"""DRF's tokens, under the word that our keys come with. The settings import it, so it stands alone."""

from rest_framework.authentication import TokenAuthentication


class BearerToken(TokenAuthentication):
    keyword = "Bearer"

"""Paths below /l/, all of which contain the share's token."""

from urllib.parse import urlencode

STYLE = "/l/style.css"
ICON = "/l/icon.svg"


class Links:
    """The URLs of a share."""

    def __init__(self, token: str, prefix: str = "") -> None:
        self._token = token
        self.prefix = prefix

    def page(self, object_key: str | None = None, *, after: str | None = None, sent: int | None = None) -> str:
        return self._with("/l/", p=object_key, after=after, sent=None if sent is None else str(sent))

    def send(self) -> str:
        return self._with("/l/send")

    def file(self, object_key: str, *, view: bool = False) -> str:
        """The content of a file, to view in the browser or to save."""
        return self._with(f"/l/file/{object_key}", view="1" if view else None)

    def thumbnail(self, object_key: str, size: int) -> str:
        return self._with(f"/l/thumb/{object_key}", size=str(size))

    def archive(self, object_key: str | None = None) -> str:
        return self._with("/l/zip", p=object_key)

    def unlock(self) -> str:
        return self._with("/l/unlock")

    def _with(self, path: str, **parameters: str | None) -> str:
        given = {name: value for name, value in parameters.items() if value is not None}
        return f"{self.prefix}{path}?{urlencode({'u': self._token, **given})}"

"""A client of Nextcloud's family, in process."""

from typing import Any
from urllib.parse import quote

import httpx2
from tests.server.dav.app import DavApp, values

OC = "{http://owncloud.org/ns}"
NC = "{http://nextcloud.org/ns}"


class CloudApp(DavApp):
    """A WebDAV app at the addresses of this dialect."""

    def url(self, path: str) -> str:
        return f"/remote.php/dav/files/{self.account.email}/{quote(path)}"

    def call(self, method: str, url: str, **more: Any) -> httpx2.Response:
        more.setdefault("auth", (self.account.email, self.password))
        return self.client.request(method, url, **more)

    def ocs(self, path: str, method: str = "GET", **more: Any) -> Any:
        response = self.call(method, f"/ocs/v2.php/{path}?format=json", **more)
        assert response.status_code == 200, response.text
        return response.json()["ocs"]["data"]

    def find(self, path: str, *names: str) -> dict[str, str]:
        """Properties of one resource, each named as `oc:id`."""
        wanted = "".join(f"<{name}/>" for name in names)
        body = (
            '<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns">'
            f"<d:prop>{wanted}</d:prop></d:propfind>"
        )
        found = values(self.propfind(path, body, depth="0"))
        return {name.replace(OC, "oc:").replace(NC, "nc:"): value for name, value in found.items()}

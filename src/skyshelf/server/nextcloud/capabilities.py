"""What this server says about itself: only what it can do."""

import re
from typing import Final

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.quota import Quota

# Clients choose their calls by these numbers: of this release, all that is announced below is known.
_MAJOR, _MINOR, _MICRO = 28, 0, 0
_VERSION: Final = f"{_MAJOR}.{_MINOR}.{_MICRO}"
_DESKTOP: Final = re.compile(r"mirall/([0-9]{1,4})\.([0-9]{1,4})")
_BULK_WORKS_SINCE: Final = (3, 10)
PRODUCT: Final = "Skyshelf"
COLOR: Final = "#2f5bd0"


def status(*, is_read_only: bool) -> dict[str, object]:
    """The answer of status.php."""
    return {
        "installed": True,
        "maintenance": False,
        "needsDbUpgrade": False,
        "version": f"{_VERSION}.1",
        "versionstring": _VERSION,
        "edition": "",
        "productname": PRODUCT,
        "extendedSupport": False,
        "readonly": is_read_only,
    }


def can_send_in_bulk(user_agent: str) -> bool:
    """Whether a client's bulk uploads work: those of older desktop clients fail as soon as a file is empty."""
    desktop = _DESKTOP.search(user_agent)
    return desktop is None or (int(desktop[1]), int(desktop[2])) >= _BULK_WORKS_SINCE


def capabilities(origin: str, user_agent: str) -> dict[str, object]:
    """The answer of cloud/capabilities."""
    bulk = {"bulkupload": "1.0"} if can_send_in_bulk(user_agent) else {}
    return {
        "version": {
            "major": _MAJOR,
            "minor": _MINOR,
            "micro": _MICRO,
            "string": _VERSION,
            "edition": "",
            "extendedSupport": False,
        },
        "capabilities": {
            "core": {
                "pollinterval": 60,
                "webdav-root": "remote.php/webdav",
                "mod-rewrite-working": False,
            },
            "dav": {"chunking": "1.0", **bulk},
            "checksums": {"supportedTypes": ["SHA256", "SHA1", "MD5", "ADLER32"], "preferredUploadType": "SHA256"},
            "files": {"bigfilechunking": True, "undelete": True, "versioning": True, "favorites": True},
            "files_sharing": {"api_enabled": False, "public": {"enabled": False}, "resharing": False},
            "theming": {
                "name": PRODUCT,
                "url": origin,
                "slogan": "",
                "color": COLOR,
                "color-text": "#ffffff",
                "color-element": COLOR,
            },
        },
    }


def user(account: Account, quota: Quota) -> dict[str, object]:
    """The answer of cloud/user."""
    name = f"{account.first_name} {account.last_name}".strip() or account.email
    return {
        "enabled": True,
        "id": account.email,
        "email": account.email,
        "displayname": name,
        "display-name": name,
        "quota": quota_of(quota),
        "groups": [],
        "language": "en",
        "locale": "",
        "backendCapabilities": {"setDisplayName": False, "setPassword": False},
    }


def quota_of(quota: Quota) -> dict[str, object]:
    share = 100 * quota.used / quota.allocated if quota.allocated else 0
    return {
        "free": quota.free,
        "used": quota.used,
        "total": quota.allocated,
        "relative": round(share, 2),
        "quota": quota.allocated,
    }

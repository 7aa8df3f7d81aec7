"""What this server says about itself: only what it can do."""

from typing import Final

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.quota import Quota

# Clients choose their calls by these numbers: of this release, all that is announced below is known.
_MAJOR, _MINOR, _MICRO = 28, 0, 0
_VERSION: Final = f"{_MAJOR}.{_MINOR}.{_MICRO}"
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


def capabilities(origin: str) -> dict[str, object]:
    """The answer of cloud/capabilities."""
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
            "dav": {"chunking": "1.0", "bulkupload": "1.0"},
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

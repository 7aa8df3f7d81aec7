"""From the name of a destination to the place that it is."""

from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from skyshelf.backup.errors import BackupRefused
from skyshelf.backup.folder import FolderPlace
from skyshelf.backup.places import Place


def open_place(destination: str, *, create: bool = False) -> Place:
    """A folder, or `s3://bucket/prefix?endpoint=…&region=…`, with keys from the environment as for a blob store."""
    parts = urlsplit(destination)
    if parts.scheme == "s3":
        from skyshelf.backup.bucket import BucketPlace  # loaded only where it is used

        options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        unknown = options.keys() - {"endpoint", "region"}
        if not parts.netloc or unknown:
            what = f"does not know {', '.join(sorted(unknown))}" if unknown else "names no bucket"
            raise BackupRefused(f"the URL of the backup {what}: write s3://bucket/prefix?endpoint=…&region=…")
        return BucketPlace(
            parts.netloc,
            prefix=unquote(parts.path).strip("/") or None,
            endpoint=options.get("endpoint"),
            region=options.get("region", "us-east-1"),
        )
    if parts.scheme == "file":
        path = Path(unquote(parts.path))
    elif "://" in destination:
        raise BackupRefused(f"a backup cannot be kept at '{parts.scheme}://': name a folder, or s3://bucket/prefix")
    else:
        path = Path(destination)
    return FolderPlace(path.absolute(), create=create)

"""Opening a bucket with timeouts for a server: short enough to respond, long enough to ride out a hiccup."""

from datetime import timedelta
from typing import TYPE_CHECKING

from obstore.store import S3Store

from skyshelf.storage.access import Access
from skyshelf.storage.blobs.object_store.objects import Objects
from skyshelf.storage.blobs.object_store.store import OBJECT_SIZE, ObjectBlobs

if TYPE_CHECKING:
    from obstore.store import ClientConfig, RetryConfig, S3Config


def open_s3(
    bucket: str,
    *,
    prefix: str | None = None,
    endpoint: str | None = None,
    region: str = "us-east-1",
    access_key_id: str | None = None,
    secret_access_key: str | None = None,
    bulk_delete: bool = True,
    patience: timedelta = timedelta(seconds=60),
    object_size: int = OBJECT_SIZE,
    access: Access = Access.SERVE,
) -> ObjectBlobs:
    """Blobs in an S3 bucket; the options are those of s3_store."""
    store = s3_store(
        bucket,
        prefix=prefix,
        endpoint=endpoint,
        region=region,
        access_key_id=access_key_id,
        secret_access_key=secret_access_key,
        bulk_delete=bulk_delete,
        patience=patience,
    )
    return ObjectBlobs(Objects(store, access), object_size)


def s3_store(
    bucket: str,
    *,
    prefix: str | None = None,
    endpoint: str | None = None,
    region: str = "us-east-1",
    access_key_id: str | None = None,
    secret_access_key: str | None = None,
    bulk_delete: bool = True,
    patience: timedelta = timedelta(seconds=60),
) -> S3Store:
    """The library's store for a bucket.

    Without keys, they come from the environment or from the machine's role, as usual with S3. patience bounds one
    request with all its repetitions. bulk_delete is for the kin of S3 that cannot delete many keys in one request.
    """
    config: S3Config = {"region": region, "disable_bulk_delete": not bulk_delete}
    if endpoint is not None:
        config["endpoint"] = endpoint
    if access_key_id is not None and secret_access_key is not None:
        config["access_key_id"] = access_key_id
        config["secret_access_key"] = secret_access_key
    client: ClientConfig = {
        "connect_timeout": timedelta(seconds=5),
        "timeout": patience,
        # Plain HTTP only where the operator wrote it into the endpoint.
        "allow_http": (endpoint or "").startswith("http://"),
    }
    retry: RetryConfig = {
        "max_retries": 5,
        "retry_timeout": patience,
        "backoff": {"init_backoff": timedelta(milliseconds=100), "max_backoff": timedelta(seconds=5), "base": 2},
    }
    return S3Store(bucket, prefix=prefix, config=config, client_options=client, retry_config=retry)

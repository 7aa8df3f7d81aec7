"""The newest release beside this version on one PostgreSQL and one bucket, as in a rolling upgrade, in both orders."""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from secrets import token_hex

import pytest
from tests.end_to_end.plain_client import PASSWORD, PlainClient, md5
from tests.end_to_end.rolling_load import Load
from tests.real_parts import shared
from tests.real_parts.older_version import installed, newest_release
from tests.real_parts.seaweedfs import ACCESS_KEY, SECRET_KEY
from tests.real_parts.servers import BUCKET
from tests.real_parts.two_instances import nginx
from tests.releases.sample import run_admin
from tests.server.api import new_account
from tests.server.running import RunningServer

from skyshelf.service.accounts import app_passwords
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.sessions import AppScope
from skyshelf.storage.metadata.sql.migrate import migrations
from skyshelf.storage.open import open_blobs, open_metadata

pytestmark = pytest.mark.whole
EMAIL = "ada@example.org"


class Service:
    """Two instances that a proxy is in front of; the first one is of the older release."""

    def __init__(self, older: Path, folder: Path, urls: tuple[str, str]) -> None:
        self.older = older
        self.urls = urls
        stores = ("--metadata", urls[0], "--blobs", urls[1])
        self.old = RunningServer(folder / "old", *stores, program=older)
        self.new = RunningServer(folder / "new", *stores)
        self.port = 0

    def check_under_load(self, email: str) -> None:
        """Work through both instances in turn: no request fails, and each sees what the other has written."""
        ctx = ServiceContext(metadata=open_metadata(self.urls[0]), blobs=open_blobs(self.urls[1]))
        with closing(ctx.blobs), closing(ctx.metadata):
            account = new_account(ctx, email)
            password, _ = app_passwords.create(ctx, account.account_id, "App", AppScope())
        with closing(Load(f"http://127.0.0.1:{self.port}", email, password)) as load:
            with load.under_way():
                load.wait_for_more(6)
            load.check()
            self.check_same(load.client)

    def check_same(self, client: PlainClient) -> None:
        """Compare what the instances show of everything that a session sees."""
        seen = []
        for server in (self.old, self.new):
            with client.twin([server.url], retries=0) as one:
                found = {obj["objectKey"]: obj for obj in one.walk()}
                seen.append({key: (obj["objectName"], obj.get("hash"), obj["status"]) for key, obj in found.items()})
        assert seen[0] == seen[1]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service of the older release, with an account and a file, that is upgraded while it runs."""
    commit = newest_release()
    older, folder = installed(commit), tmp_path_factory.mktemp("side-by-side")
    known = len(list((older.parent / "src/skyshelf/storage/metadata/migrations").glob("*.sql")))
    if not all(one.is_online for one in migrations()[known:]):
        pytest.skip(f"the upgrade from {commit[:10]} to this version stops every server")
    with ExitStack() as until, pytest.MonkeyPatch.context() as environment:
        environment.setenv("AWS_ACCESS_KEY_ID", ACCESS_KEY)
        environment.setenv("AWS_SECRET_ACCESS_KEY", SECRET_KEY)
        s3 = shared.seaweedfs()
        s3.make_bucket(BUCKET)
        urls = shared.postgres().unmigrated(), f"s3://{BUCKET}/{token_hex(8)}?endpoint={s3.endpoint}"
        person = ("--first-name", "Ada", "--last-name", "Byron", "--password-stdin", "--metadata", urls[0])
        for arguments in (("upgrade", "--yes", "--metadata", urls[0]), ("user", "add", EMAIL, *person)):
            done = subprocess.run(
                [older, "admin", *arguments], input=PASSWORD, capture_output=True, text=True, cwd=folder, check=False
            )
            assert done.returncode == 0, done.stderr
        service = Service(older, folder, urls)
        for server in (service.old, service.new):
            until.callback(server.close)
        service.old.start()
        with PlainClient([service.old.url], retries=0).log_in(EMAIL) as client:
            client.upload("of the older release.txt", b"kept")
        run_admin("upgrade", "--yes", "--metadata", urls[0])
        service.new.start()
        service.port = until.enter_context(nginx(folder, [service.old.port, service.new.port]))
        yield service


def test_this_version_joins_a_service_of_the_older_release(service: Service) -> None:
    with PlainClient([service.old.url], retries=0).log_in(EMAIL) as client:
        service.check_same(client)
        (file,) = client.page(type="f")
        with client.twin([service.new.url], retries=0) as upgraded:
            assert upgraded.download(file["objectKey"]) == b"kept"
            assert file["hash"] == md5(b"kept")
    service.check_under_load("joining@example.org")


def test_the_older_release_joins_a_service_of_this_version(service: Service) -> None:
    """Undo the upgrade of one instance; after a change of the schema, the older release refuses to start."""
    assert service.old.stop() == 0
    with PlainClient([service.new.url], retries=0).log_in(EMAIL) as client:
        client.upload("of this version.txt", b"new")
        if len(migrations()) > len(list((service.older.parent / "src").rglob("metadata/migrations/*.sql"))):
            with pytest.raises(AssertionError, match="install the Skyshelf that wrote it, or a newer one"):
                service.old.start()
            return
        service.old.start()
        service.check_same(client)
    service.check_under_load("returning@example.org")

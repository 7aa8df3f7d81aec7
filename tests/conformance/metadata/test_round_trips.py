"""What goes in comes out: every field of every record, in the columns and as shown."""

import msgspec
import pytest
from tests.conformance.metadata.making import NOW, apply, make_folder, new_file, new_key, put_file
from tests.conformance.metadata.reading import ORIGIN, shown, stored

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewUpload, Upload, UploadPart, Version
from skyshelf.storage.metadata.contracts.tree import (
    ACTIVE,
    Move,
    NewFolder,
    PageOf,
    Rename,
    SetFavorite,
    StoredObject,
    Trash,
    TreeChange,
)
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.storage.metadata.wire_cache import encode_object, wire_object

pytestmark = pytest.mark.backend


def test_every_field_of_a_folder_comes_back(store: MetadataStore, account: Account) -> None:
    new = NewFolder(object_key=new_key(), parent_key=account.root_key, name="Urlaub 2024 🏖", source_name="repocopy")
    added = store.write(lambda unit: unit.tree.add_folder(account.account_id, new, NOW))
    assert added == StoredObject(
        account_id=account.account_id,
        object_key=new.object_key,
        parent_key=account.root_key,
        is_folder=True,
        status=ACTIVE,
        name=new.name,
        size=0,
        file_created_at=NOW,
        last_modified_at=NOW,
        sha256=None,
        md5=None,
        version=1,
        mime_type="",
        mime_subtype="",
        source_name="repocopy",
        source_folder="",
        app_code="",
        is_hidden=False,
        is_locked=False,
        is_readonly=False,
        is_favorite=False,
        created_at=NOW,
        updated_at=NOW,
        arrived_at=NOW,
        trashed_at=0,
        taken_at=None,
        taken_day=None,
        created_seq=1,
    )
    assert stored(store, account, new.object_key) == added


def test_every_field_of_a_file_comes_back(store: MetadataStore, account: Account) -> None:
    data = b"\x00\xff raw"
    new = new_file(
        account.root_key,
        "IMG_0001.jpg",
        data,
        file_created_at=-1,
        last_modified_at=2**52,
        source_name="UPA",
        source_folder='/storage/emulated/0/DCIM/"Kamera" \\ %s :name',
        app_code="dgl",
        taken_at=NOW - 5,
        taken_day=229,
        created_by="Žofie 🌿",
    )
    outcome = store.write(lambda unit: unit.files.put(account.account_id, new, NOW, keep_versions=20))
    assert outcome.created
    assert outcome.location == new.location
    assert outcome.object == StoredObject(
        account_id=account.account_id,
        object_key=new.object_key,
        parent_key=account.root_key,
        is_folder=False,
        status=ACTIVE,
        name="IMG_0001.jpg",
        size=len(data),
        file_created_at=-1,
        last_modified_at=2**52,
        sha256=new.sha256,
        md5=new.md5,
        version=1,
        mime_type="image",
        mime_subtype="jpeg",
        source_name="UPA",
        source_folder=new.source_folder,
        app_code="dgl",
        is_hidden=False,
        is_locked=False,
        is_readonly=False,
        is_favorite=False,
        created_at=NOW,
        updated_at=NOW,
        arrived_at=NOW,
        trashed_at=0,
        taken_at=NOW - 5,
        taken_day=229,
        created_seq=1,
    )
    assert stored(store, account, new.object_key) == outcome.object
    with store.read() as unit:
        assert unit.files.versions(account.account_id, new.object_key) == [
            Version(
                version=1,
                is_current=True,
                sha256=new.sha256,
                location=new.location,
                md5=new.md5,
                size=len(data),
                mime_type="image",
                mime_subtype="jpeg",
                created_at=NOW,
                created_by="Žofie 🌿",
                file_created_at=-1,
                last_modified_at=2**52,
            )
        ]


def test_the_next_version_replaces_what_belongs_to_the_content_and_keeps_what_belongs_to_the_object(
    store: MetadataStore, account: Account
) -> None:
    before = put_file(store, account, account.root_key, "a.txt", b"1", source_folder="/one", taken_at=1, taken_day=101)
    apply(store, account, SetFavorite(before.object.object_key, True), now=NOW + 1)
    after = put_file(
        store,
        account,
        account.root_key,
        "a.txt",
        b"22",
        mime_type="image",
        mime_subtype="png",
        file_created_at=3,
        last_modified_at=4,
        source_name="UPA",
        source_folder="/two",
        app_code="dgl",
        now=NOW + 2,
    )
    assert not after.created
    kept, new = before.object, after.object
    assert (new.object_key, new.parent_key, new.name) == (kept.object_key, kept.parent_key, kept.name)
    assert (new.created_at, new.is_favorite, new.version) == (kept.created_at, True, 2)
    assert (new.size, new.mime_type, new.mime_subtype) == (2, "image", "png")
    assert (new.file_created_at, new.last_modified_at) == (3, 4)
    assert (new.source_name, new.source_folder, new.app_code) == ("UPA", "/two", "dgl")
    assert (new.taken_at, new.taken_day) == (None, None)
    assert (new.updated_at, new.arrived_at) == (NOW + 2, NOW + 2)
    assert stored(store, account, new.object_key) == new


def test_what_is_shown_equals_the_columns_after_every_kind_of_change(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    key = put_file(store, account, account.root_key, "a.jpg").object.object_key
    steps: list[TreeChange] = [
        Rename(key, 'b "\\ ü 🏖.jpg'),
        Move(key, folder),
        SetFavorite(key, True),
        SetFavorite(key, False),
    ]
    for number, change in enumerate(steps):
        apply(store, account, change, now=NOW + number)
        now_stored = stored(store, account, key)
        assert now_stored.parent_key is not None
        with store.read() as unit:
            page = unit.tree.page(account.account_id, PageOf(folder_key=now_stored.parent_key))
        assert encode_object(now_stored) in page
    apply(store, account, Trash(key), now=NOW + 9)
    with store.read() as unit:
        (wire,) = unit.tree.trash_page(account.account_id, limit=10)
    assert wire == encode_object(stored(store, account, key))
    assert shown(wire)["status"] == "T"


def test_an_object_is_shown_with_urls_under_the_origin(store: MetadataStore, account: Account) -> None:
    key = put_file(store, account, account.root_key, "a.jpg").object.object_key
    with store.read() as unit:
        (wire,) = unit.tree.page(account.account_id, PageOf(folder_key=account.root_key))
    file = shown(wire)
    assert file["url"] == f"{ORIGIN}/download/files/{key}"
    assert file["imageTranscodeUrl"] == f"{ORIGIN}/download/avimages/{key}"
    assert file == msgspec.json.decode(msgspec.json.encode(wire_object(stored(store, account, key), ORIGIN)))


def test_every_field_of_an_upload_comes_back(store: MetadataStore, account: Account) -> None:
    new = NewUpload(
        upload_key=new_key(),
        parent_key=account.root_key,
        name="Ž.bin",
        size=2**40,
        md5="00" * 15 + "ff",
        details=b'{"sourceFolder":"\\u0000"}\x00\xff',
    )
    store.write(lambda unit: unit.accounts.set_space(account.account_id, default_space=2**41, paid_space=0, now=NOW))
    begun = store.write(lambda unit: unit.uploads.begin(account.account_id, new, NOW))
    assert begun == Upload(
        upload_key=new.upload_key,
        account_id=account.account_id,
        parent_key=new.parent_key,
        name=new.name,
        size=new.size,
        md5=new.md5,
        received=0,
        details=new.details,
        created_at=NOW,
        updated_at=NOW,
    )
    part = UploadPart(start=0, size=2**39, md5="ab" * 16, token='s3:part/1?etag="ü"')
    advanced = store.write(lambda unit: unit.uploads.advance(account.account_id, new.upload_key, part, NOW + 1))
    with store.read() as unit:
        assert unit.uploads.get(account.account_id, new.upload_key) == advanced
        assert unit.uploads.parts(account.account_id, new.upload_key) == [part]
    assert (advanced.received, advanced.updated_at, advanced.created_at) == (2**39, NOW + 1, NOW)

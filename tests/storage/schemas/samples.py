"""A row or two for every table: what a store may hold that is older than the program that opens it.

A migration that adds a table adds rows for it here; rows for a column that an older version does not have yet are
left out of that version.
"""

Scalar = str | int | bytes | None
Rows = list[dict[str, Scalar]]

NOW = 1_700_000_000_000


def _key(number: int) -> bytes:
    return bytes.fromhex("018BCFE568007000B000") + number.to_bytes(6, "big")


def _digest(number: int, size: int) -> bytes:
    return bytes([number]) * size


ROOT, FOLDER, PHOTO, TRASHED, OTHER_ROOT = (_key(number) for number in range(1, 6))


def _object(
    account_id: int,
    key: bytes,
    parent: bytes | None,
    name: str,
    *,
    content: bytes | None = None,
    status: str = "A",
) -> dict[str, Scalar]:
    return {
        "account_id": account_id,
        "object_key": key,
        "parent_key": parent,
        "kind": 0 if content is None else 1,
        "status": status,
        "name": name,
        "name_order": name.casefold().encode(),
        "size": 0 if content is None else 12,
        "file_created_at": NOW - 5,
        "last_modified_at": NOW - 4,
        "content": content,
        "md5": None if content is None else _digest(7, 16),
        "version": 1,
        "mime_type": "" if content is None else "image",
        "mime_subtype": "" if content is None else "jpeg",
        "source_name": "DRIVE",
        "source_folder": "/DCIM/Kamera ü",
        "app_code": "",
        "is_media": int(content is not None),
        "is_hidden": 0,
        "is_locked": 0,
        "is_readonly": 0,
        "is_favorite": 1,
        "created_at": NOW - 3,
        "updated_at": NOW - 2,
        "arrived_at": NOW - 3,
        "trashed_at": NOW if status == "T" else 0,
        "taken_at": None if content is None else NOW - 9,
        "taken_day": None if content is None else 1114,
        "timeline_month": None if content is None else 2023 * 12 + 10,
        "wire": b'{"objectName":"\xc3\xbc","url":"\x01/download"}',
        "wire_version": 1,
        "levels_below": 0,
        "path_below": 0,
        "created_seq": 0,
        "is_executable": int(content is not None),
    }


def _account(account_id: int, root: bytes, email: str) -> dict[str, Scalar]:
    return {
        "account_id": account_id,
        "account_key": _key(100 + account_id),
        "root_key": root,
        "email": email,
        "email_folded": email.casefold(),
        "first_name": "Žofie 🌿",
        "last_name": "O'Hara; --",
        "password_hash": "$argon2id$",
        "status": "A",
        "auth_provider_id": 1,
        "mobile_number": "",
        "is_mobile_verified": 0,
        "is_email_verified": 1,
        "default_space": 2**40,
        "paid_space": 0,
        "created_at": NOW - 10,
        "updated_at": NOW - 9,
        "delete_at": 0,
        "is_operator": int(account_id == 1),
    }


def _counters(account_id: int, **values: int | str) -> dict[str, Scalar]:
    zero: dict[str, Scalar] = dict.fromkeys(
        ("change_seq", "trash_watermark", "document_used", "photo_used", "video_used", "audio_used", "reserved"), 0
    )
    zero |= dict.fromkeys(
        ("objects", "history_used", "history_floor", "history_swept", "history_forgotten_at", "history_since"), 0
    )
    zero |= {"links_counted": 0, "links_counted_upto": 0}
    zero["history_days"] = zero["alarm_watch"] = None
    zero |= {"held_at": 0, "held_by": "", "held_for": ""}
    return {"account_id": account_id} | zero | values


# In an order in which nothing refers to what comes later.
SAMPLES: dict[str, Rows] = {
    "accounts": [_account(1, ROOT, "Ada@Example.org"), _account(2, OTHER_ROOT, "grace@example.org")],
    "account_counters": [
        _counters(1, change_seq=2, trash_watermark=5, photo_used=24, reserved=99, objects=3, history_used=12),
        _counters(2, held_at=NOW - 1, held_by="command:root", held_for="case 12/2026"),
    ],
    "devices": [
        {
            "account_id": 1,
            "device_key": "6b1f1f0e-0000-4000-8000-000000000001",
            "device_name": "Laptop",
            "device_type": "W",
            "platform_type": "Firefox",
            "created_at": NOW - 8,
            "last_seen_at": NOW - 1,
            "is_named": 1,
        }
    ],
    "password_links": [{"token_hash": _digest(9, 32), "account_id": 2, "created_at": NOW - 1, "expires_at": NOW + 1}],
    "sessions": [
        {
            "secret_hash": _digest(1, 32),
            "account_id": 1,
            "device_key": "6b1f1f0e-0000-4000-8000-000000000001",
            "created_at": NOW - 8,
            "last_used_at": NOW - 1,
            "expires_at": NOW + 10**9,
        }
    ],
    "nonces": [
        {"nonce_hash": _digest(2, 32), "account_id": 1, "secret_hash": _digest(1, 32), "expires_at": NOW + 600_000}
    ],
    "app_passwords": [
        {
            "secret_hash": _digest(1, 32),
            "account_id": 1,
            "folder_key": FOLDER,
            "can_write": 0,
            "webdav_only": 1,
            "generation": 1,
        }
    ],
    "delegations": [
        {
            "secret_hash": _digest(1, 32),
            "account_id": 1,
            "maker": "6b1f1f0e-0000-4000-8000-000000000001",
            "generation": 1,
            "purpose": "Tidy up the photos",
            "kinds": "delete list read",
            "folder_key": FOLDER,
            "reads": 1000,
            "read_bytes": 10**12,
            "writes": None,
            "written_bytes": None,
            "deletions": 20,
            "calls": 60,
        }
    ],
    "delegation_uses": [
        {
            "secret_hash": _digest(1, 32),
            "link": b"",
            "account_id": 1,
            "minute": NOW // 60_000,
            "reads": 12,
            "read_bytes": 10**9,
            "writes": 1,
            "written_bytes": 5,
            "deletions": 3,
            "calls": 2,
        }
    ],
    "identities": [
        {
            "issuer": "https://login.example.org",
            "subject": "248289761001",
            "account_id": 1,
            "email": "ada@example.org",
            "created_at": NOW - 8,
            "last_used_at": NOW - 1,
        }
    ],
    "identity_sessions": [
        {
            "secret_hash": _digest(1, 32),
            "account_id": 1,
            "issuer": "https://login.example.org",
            "subject": "248289761001",
            "sid": "08a5019c",
        }
    ],
    "spent_tokens": [{"token_hash": _digest(14, 32), "expires_at": NOW + 600_000}],
    "alarms": [
        {
            "account_id": 1,
            "number": 2,
            "device_key": "6b1f1f0e-0000-4000-8000-000000000001",
            "raised_at": NOW - 3,
            "since": NOW - 4,
            "deleted": 5,
            "overwritten": 6,
            "moved": 7,
            "scrambled": 8,
            "marked": 9,
            "state": "open",
            "decided_at": 0,
            "decided_by": "",
        }
    ],
    "passkeys": [
        {
            "passkey_key": _key(25),
            "account_id": 1,
            "credential_id": _digest(15, 32),
            "public_key": _digest(16, 32),
            "sign_count": 7,
            "host": "drive.example.org",
            "name": "Blue key",
            "transports": "usb nfc",
            "is_discoverable": 1,
            "is_verifying": 1,
            "can_be_backed_up": 1,
            "is_backed_up": 0,
            "created_at": NOW - 8,
            "last_used_at": NOW - 1,
        }
    ],
    "archives": [
        {
            "archive_key": _key(22),
            "account_id": 1,
            "name": "Everything",
            "object_keys": FOLDER + PHOTO,
            "expires_at": NOW + 10**9,
        }
    ],
    "second_factors": [
        {
            "account_id": 1,
            "salt": _digest(12, 16),
            "begun_at": NOW - 9,
            "confirmed_at": NOW - 8,
            "last_step": 56_666_666,
            "generation": 2,
            "codes_generation": 1,
            "mask": _digest(14, 20),
        }
    ],
    "secret_generations": [
        {"name": "signing-key", "number": 1, "begun_at": 0, "retired_at": NOW - 5, "former": b"\xff\x00 former"},
        {"name": "signing-key", "number": 2, "begun_at": NOW - 5, "retired_at": 0, "former": None},
    ],
    "rewind_consents": [{"account_id": 2, "given_at": NOW - 2, "expires_at": NOW + 2}],
    "recovery_codes": [{"account_id": 1, "code_hash": _digest(13, 32)}],
    "throttles": [{"bucket": _digest(3, 32), "failures": 4, "last_failure_at": NOW - 1, "closed_until": NOW + 5}],
    "promotions": [
        {
            "promotion_key": _key(20),
            "account_id": 1,
            "name": "Welcome",
            "space": 2**30,
            "start_at": NOW - 100,
            "end_at": NOW + 100,
        },
        {"promotion_key": _key(21), "account_id": None, "name": "All", "space": 1, "start_at": 0, "end_at": NOW},
    ],
    "settings": [{"name": "signing-key", "value": b"\x00\xff secret"}],
    "blobs": [
        {
            "content": _digest(5, 32),
            "location": "b/05/one",
            "size": 12,
            "md5": _digest(7, 16),
            "refs": 2,
            "created_at": NOW - 3,
            "idle_since": 0,
            "idle_by": 0,
        },
        {
            "content": _digest(6, 32),
            "location": "b/06/idle",
            "size": 1,
            "md5": _digest(8, 16),
            "refs": 0,
            "created_at": NOW - 3,
            "idle_since": NOW - 2,
            "idle_by": 0,
        },
    ],
    "objects": [
        _object(1, ROOT, None, "root"),
        _object(1, FOLDER, ROOT, "Urlaub ü"),
        _object(1, PHOTO, FOLDER, "Straße.jpg", content=_digest(5, 32)),
        _object(1, TRASHED, ROOT, "Straße.jpg", content=_digest(5, 32), status="T"),
        _object(2, OTHER_ROOT, None, "root"),
    ],
    "versions": [
        {
            "account_id": 1,
            "object_key": key,
            "version": 1,
            "content": _digest(5, 32),
            "md5": _digest(7, 16),
            "size": 12,
            "category": "photo",
            "mime_type": "image",
            "mime_subtype": "jpeg",
            "created_at": NOW - 3,
            "created_by": "Žofie",
            "file_created_at": NOW - 5,
            "last_modified_at": NOW - 4,
        }
        for key in (PHOTO, TRASHED)
    ],
    "changes": [
        {
            "account_id": 1,
            "seq": 1,
            "at": NOW - 3,
            "kind": "created",
            "object_key": PHOTO,
            "actor": "",
            "before": None,
            "before_folder": None,
        },
        {
            "account_id": 1,
            "seq": 2,
            "at": NOW,
            "kind": "trashed",
            "object_key": TRASHED,
            "actor": "",
            "before": None,
            "before_folder": None,
        },
    ],
    "purged_objects": [
        {
            "account_id": 1,
            "object_key": _key(70),
            "purged_seq": 2,
            "kept_at": NOW,
            "folder_key": FOLDER,
            "state": b"\x91\x01",
            "links": b"\x90",
        }
    ],
    "kept_contents": [
        {
            "account_id": 1,
            "object_key": _key(70),
            "version": 1,
            "content": _digest(8, 32),
            "size": 12,
            "kept_at": NOW,
        }
    ],
    "link_changes": [
        {
            "link_id": 1,
            "account_id": 1,
            "after_seq": 2,
            "at": NOW,
            "actor": "device/0011223344556677",
            "kind": "tag",
            "object_key": PHOTO,
            "other_key": _key(71),
            "name": "Urlaub",
            "added": 1,
        }
    ],
    "rewinds": [
        {
            "rewind_key": _key(72),
            "account_id": 1,
            "state": "done",
            "seq": 1,
            "at": NOW,
            "upto": 2,
            "folder_key": FOLDER,
            "actor": "device/",
            "asked_by": "device/0011223344556677",
            "undo_of": None,
            "created_at": NOW,
            "updated_at": NOW,
            "place": b"\x90",
            "counts": b"\x80",
        }
    ],
    "rewind_items": [
        {
            "account_id": 1,
            "rewind_key": _key(72),
            "object_key": PHOTO,
            "rank": 2,
            "what": "bring",
            "target": None,
            "problem": "contentGone",
        }
    ],
    "history_keys": [
        {
            "number": 1,
            "key_id": "00112233445566778899aabbccddeeff",
            "public_key": b"p" * 32,
            "private_key": b"s" * 32,
            "created_at": NOW,
            "retired_at": 0,
            "signature": b"",
        }
    ],
    "history_logs": [{"account_id": 1, "log_key": _key(75), "start_seq": 1, "size": 2, "head": "skyshelf-history/…"}],
    "history_tiles": [{"account_id": 1, "place": 0, "hashes": b"h" * 64}],
    "history_leaves": [{"account_id": 1, "first_seq": 1, "last_seq": 2, "states": b"\x92\xc0\xc0"}],
    "uploads": [
        {
            "upload_key": _key(30),
            "account_id": 1,
            "parent_key": FOLDER,
            "name": "film.mp4",
            "size": 99,
            "md5": _digest(9, 16),
            "received": 40,
            "details": b'{"appcode":"dgl"}',
            "created_at": NOW - 2,
            "updated_at": NOW - 1,
        }
    ],
    "upload_parts": [
        {"upload_key": _key(30), "start": 0, "size": 40, "md5": _digest(10, 16), "token": "part-1"},
    ],
    "outbox": [
        {
            "job_id": 1,
            "kind": "purge",
            "subject": "1",
            "payload": b"{}",
            "run_at": NOW,
            "again_at": None,
            "attempts": 2,
            "lease": "",
            "last_error": "it rained",
        }
    ],
    "shares": [
        {
            "share_key": _key(40),
            "generation": 1,
            "account_id": 1,
            "token_hash": _digest(11, 32),
            "name": "14Nov2023_221320",
            "created_at": NOW - 1,
            "revoked_at": 0,
            "expires_at": NOW + 10**9,
            "password_hash": "",
            "download_limit": 3,
            "downloads": 1,
            "visits": 2,
            "last_visit_at": NOW,
            "board_key": None,
            "rights": "V",
            "upload_limit": 0,
            "upload_bytes": 0,
            "uploads": 0,
            "upload_hour": 0,
            "uploads_in_hour": 0,
        }
    ],
    "share_objects": [{"share_key": _key(40), "position": 0, "account_id": 1, "object_key": FOLDER}],
    "boards": [
        {
            "board_key": _key(50),
            "owner_id": 1,
            "name": "Family",
            "description": "ours",
            "board_type": "P",
            "status": "A",
            "created_at": NOW - 2,
            "updated_at": NOW - 1,
            "cover_key": PHOTO,
        }
    ],
    "board_members": [
        {"board_key": _key(50), "account_id": 1, "role": "O", "status": "A", "joined_at": NOW - 2},
        {"board_key": _key(50), "account_id": 2, "role": "M", "status": "I", "joined_at": NOW - 1},
    ],
    "board_invitations": [
        {
            "board_key": _key(50),
            "email_folded": "grace@example.org",
            "email": "Grace@example.org",
            "role": "V",
            "created_at": NOW - 1,
            "expires_at": NOW + 1,
        }
    ],
    "guest_files": [
        {"account_id": 1, "object_key": PHOTO, "share_key": _key(40), "guest_name": "Grace", "added_at": NOW - 1}
    ],
    "locks": [
        {
            "lock_key": _key(60),
            "account_id": 1,
            "object_key": FOLDER,
            "is_exclusive": 1,
            "is_deep": 1,
            "owner": "<D:href>Ada</D:href>",
            "expires_at": NOW + 10**6,
        }
    ],
    "dead_properties": [
        {"account_id": 1, "object_key": PHOTO, "namespace": "urn:x", "name": "ü", "value": "<x:ü>1</x:ü>"}
    ],
    "folder_marks": [{"account_id": 1, "folder_key": FOLDER, "mark": 3 << 20}],
    "board_restrictions": [{"board_key": _key(50), "account_id": 2, "kind": "X"}],
    "board_links": [
        {
            "link_key": _key(51),
            "generation": 1,
            "board_key": _key(50),
            "token_hash": _digest(9, 32),
            "role": "M",
            "created_at": NOW - 1,
            "expires_at": NOW + 1,
        }
    ],
    "timeline_months": [{"account_id": 1, "month": 2023 * 12 + 10, "parent_key": FOLDER, "files": 1}],
    "board_items": [{"board_key": _key(50), "account_id": 1, "object_key": PHOTO, "added_at": NOW - 1}],
    "board_events": [
        {
            "board_key": _key(50),
            "seq": 1,
            "account_id": 1,
            "kind": "added",
            "files": 1,
            "guest_name": "Grace",
            "at": NOW - 1,
        }
    ],
    "board_comments": [
        {
            "comment_key": _key(51),
            "board_key": _key(50),
            "account_id": 2,
            "object_key": PHOTO,
            "text": "lovely 🌿",
            "created_at": NOW,
            "edited_at": NOW,
        }
    ],
    "tags": [
        {
            "tag_key": _key(60),
            "account_id": 1,
            "name": "Sommer",
            "name_folded": "sommer",
            "created_at": NOW - 2,
            "used_at": NOW - 1,
        }
    ],
    "object_tags": [{"account_id": 1, "object_key": PHOTO, "tag_key": _key(60), "created_at": NOW - 1}],
    "contacts": [
        {
            "contact_key": _key(70),
            "account_id": 1,
            "display_name": "Grace",
            "name_order": b"grace",
            "is_active": 1,
            "updated_at": NOW - 1,
            "details": b'{"displayName":"Grace"}',
        }
    ],
    "contact_emails": [
        {
            "contact_key": _key(70),
            "position": 0,
            "account_id": 1,
            "email": "grace@example.org",
            "display_name": "Grace",
            "name_order": b"grace",
        }
    ],
    "banners": [
        {
            "banner_key": _key(80),
            "title": "Hello",
            "text": "100% yours",
            "image_url": "",
            "action_url": "https://example.org",
            "start_at": NOW - 5,
            "end_at": NOW + 5,
        }
    ],
    "search_entries": [{"entry": (1 << 40) + 1, "account_id": 1, "object_key": PHOTO}],
    "thumbnails": [
        {
            "account_id": 1,
            "content": _digest(5, 32),
            "size": 512,
            "form": "jpeg",
            "location": "t/05/one",
            "bytes": 345,
            "renderer": 1,
            "retry_at": 0,
            "created_at": NOW,
            "idle_since": 0,
            "placeholder": b"RIFF tiny",
        }
    ],
    "quarantine": [
        {
            "location": "b/07/one",
            "kind": "blob",
            "content": _digest(7, 32),
            "md5": _digest(7, 16),
            "size": 12,
            "reason": "released",
            "since": NOW - 3,
            "counts_from": 0,
            "account_id": 0,
            "deleting": 0,
        },
        {
            "location": "F" * 32,
            "kind": "upload",
            "content": None,
            "md5": None,
            "size": 34,
            "reason": "orphan",
            "since": NOW - 2,
            "counts_from": 0,
            "account_id": 0,
            "deleting": 1,
        },
    ],
    "audit_events": [
        {
            "event_id": 1,
            "happened_at": NOW,
            "kind": "login.failed",
            "account_key": _key(1),
            "actor": "",
            "address": "192.0.2.7",
            "device_key": "",
            "object_key": "",
            "link_key": "",
            "times": 3,
            "details": "",
        },
        {
            "event_id": 2,
            "happened_at": NOW,
            "kind": "admin.setting-changed",
            "account_key": None,
            "actor": "command:root",
            "address": "",
            "device_key": "",
            "object_key": "",
            "link_key": "",
            "times": 1,
            "details": '{"setting":"trash_days","value":60}',
        },
    ],
    "media_facts": [
        {
            "account_id": 1,
            "object_key": PHOTO,
            "version": 1,
            "width": 4000,
            "height": 3000,
            "latitude": 38_722_300,
            "longitude": -9_139_300,
            "utc_offset": 60,
        }
    ],
    "undated": [{"account_id": 1, "object_key": PHOTO}],
    "damaged_contents": [{"content": _digest(5, 32), "location": "b/05/one", "fault": "is missing", "found_at": NOW}],
}


def samples_for(table: str, columns: set[str]) -> Rows:
    """The sample rows of a table as far as a version of it has their columns."""
    return [{name: value for name, value in row.items() if name in columns} for row in SAMPLES[table]]

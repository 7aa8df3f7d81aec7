"""The endpoint tables of the interface, written out once more."""

import pytest
from msgspec import json
from msgspec.structs import fields

from skyshelf.wire import error_codes
from skyshelf.wire.endpoint import Access, AnswerKind, BodyKind, Endpoint, Host, Origin
from skyshelf.wire.endpoints import BY_NAME, ENDPOINTS
from skyshelf.wire.endpoints.boards import BOARD_DETAILS, CREATE_BOARD, LEAVE_BOARD
from skyshelf.wire.endpoints.downloads import DOWNLOAD, THUMBNAIL
from skyshelf.wire.endpoints.objects import BATCH, CREATE_FOLDER, LEGACY_DELETE, LISTING, VERSIONS
from skyshelf.wire.endpoints.uploads import INITIATE_UPLOAD, UPLOAD, UPLOAD_CHUNK
from skyshelf.wire.limits import CHUNK_BYTES_MAX, JSON_BODY_BYTES_DEFAULT, JSON_BODY_BYTES_MAX
from skyshelf.wire.resources.account import UserProfile
from skyshelf.wire.resources.boards import UnjoinRequest
from skyshelf.wire.resources.objects import CloudObject
from skyshelf.wire.resources.uploads import OffsetConflict, UploadProgress

OF_THE_INTERFACE = {
    "profile": (Host.ACCOUNT, "GET", "/security/users", []),
    "promotions": (Host.ACCOUNT, "GET", "/security/users/promotions", []),
    "app_settings": (Host.ACCOUNT, "GET", "/app/settings", ["os"]),
    "cookie_nonce": (Host.ACCOUNT, "POST", "/security/getokenforcookie", []),
    "default_view": (
        Host.METADATA,
        "GET",
        "/nms/metadata/defaultview/myfiles/v1",
        ["folderKey", "limit", "type", "sort"],
    ),
    "listing": (Host.METADATA, "GET", "/nms/metadata", ["folderKey", "limit", "type", "sort", "page"]),
    "batch": (Host.METADATA, "PUT", "/nms/metadata/1.0", []),
    "restore": (Host.METADATA, "PUT", "/nms/metadata/restore", []),
    "trash": (Host.METADATA, "GET", "/nms/trash", ["limit", "sort", "page"]),
    "legacy_delete": (Host.METADATA, "PUT", "/nms/metadata/delete", []),
    "versions": (Host.METADATA, "GET", "/nms/metadata/version/{object_key}", []),
    "recent": (Host.METADATA, "GET", "/nms/metadata/recent/objects", []),
    "spotlights": (Host.METADATA, "GET", "/nms/spotlights/metadata", ["page", "limit"]),
    "shared_by_me": (Host.METADATA, "GET", "/nms/collshare/byme", ["page", "limit", "sort"]),
    "linked_app": (Host.METADATA, "GET", "/nms/headless/linkedapp/metadata", ["page", "limit", "appcode"]),
    "recent_tags": (Host.METADATA, "GET", "/nms/manual/tag/recents", []),
    "object_tags": (Host.METADATA, "GET", "/nms/manual/tags/{object_key}", []),
    "supported_documents": (Host.METADATA, "GET", "/cspp/intg/doc/supported", []),
    "create_folder": (Host.METADATA, "POST", "/nms/folders", []),
    "create_share": (Host.METADATA, "POST", "/share/ulinks", []),
    "download": (Host.DOWNLOAD, "GET", "/download/files/{object_key}", ["version", "nonce"]),
    "thumbnail": (Host.DOWNLOAD, "GET", "/download/avimages/{object_key}", ["size", "nonce"]),
    "board_list": (Host.BOARDS, "GET", "/boards/sync/initial", ["page", "limit", "albumType"]),
    "create_board": (Host.BOARDS, "POST", "/boards", []),
    "board_details": (Host.BOARDS, "GET", "/boards/{board_key}", ["page", "limit", "sort"]),
    "board_members": (Host.BOARDS, "GET", "/invites/boards/{board_key}/members", []),
    "leave_board": (Host.BOARDS, "PUT", "/invites/boards/{board_key}/unjoin", []),
    "contacts": (Host.CONTACTS, "GET", "/amiko/cab/contacts", ["sort", "onlyActive", "nextPageDate"]),
    "contact_emails": (Host.CONTACTS, "GET", "/amiko/cab/emails", []),
    "banners": (Host.MESSAGING, "GET", "/promo/banner/list", []),
}

COMPLETING = {
    "login": (Host.ACCOUNT, "POST", "/x/v1/login", []),
    "session": (Host.ACCOUNT, "GET", "/x/v1/session", []),
    "begin_passkey_login": (Host.ACCOUNT, "POST", "/x/v1/login/passkey/begin", []),
    "passkey_login": (Host.ACCOUNT, "POST", "/x/v1/login/passkey", []),
    "passkeys": (Host.ACCOUNT, "GET", "/x/v1/account/passkeys", []),
    "begin_passkey": (Host.ACCOUNT, "POST", "/x/v1/account/passkeys/begin", []),
    "add_passkey": (Host.ACCOUNT, "POST", "/x/v1/account/passkeys", []),
    "passkey_challenge": (Host.ACCOUNT, "POST", "/x/v1/account/passkeys/challenge", []),
    "rename_passkey": (Host.ACCOUNT, "PUT", "/x/v1/account/passkeys/{passkey_key}", []),
    "remove_passkey": (Host.ACCOUNT, "POST", "/x/v1/account/passkeys/{passkey_key}/removal", []),
    "second_factor_by_passkey": (Host.ACCOUNT, "POST", "/x/v1/account/second-factor/passkey", []),
    "logout": (Host.ACCOUNT, "PUT", "/security/users/logout", []),
    "set_board_cover": (Host.BOARDS, "PUT", "/x/v1/boards/{board_key}/cover", []),
    "edit_board": (Host.BOARDS, "PUT", "/x/v1/boards/{board_key}", []),
    "board_invitations": (Host.BOARDS, "GET", "/x/v1/boards/{board_key}/invitations", []),
    "invite_to_board": (Host.BOARDS, "POST", "/x/v1/boards/{board_key}/invitations", []),
    "revoke_board_invitation": (
        Host.BOARDS,
        "DELETE",
        "/x/v1/boards/{board_key}/invitations/{invitation_key}",
        [],
    ),
    "create_board_link": (Host.BOARDS, "POST", "/x/v1/boards/{board_key}/links", []),
    "revoke_board_link": (Host.BOARDS, "DELETE", "/x/v1/boards/{board_key}/links/{link_key}", []),
    "set_board_role": (Host.BOARDS, "PUT", "/x/v1/boards/{board_key}/members/{user_id}", []),
    "remove_board_member": (Host.BOARDS, "DELETE", "/x/v1/boards/{board_key}/members/{user_id}", []),
    "board_activity": (Host.BOARDS, "GET", "/x/v1/boards/{board_key}/activity", []),
    "board_contributors": (Host.BOARDS, "GET", "/x/v1/boards/{board_key}/contributors", ["objectKeys"]),
    "board_comments": (Host.BOARDS, "GET", "/x/v1/boards/{board_key}/comments", ["cursor", "limit"]),
    "add_board_comment": (Host.BOARDS, "POST", "/x/v1/boards/{board_key}/comments", []),
    "edit_board_comment": (Host.BOARDS, "PUT", "/x/v1/boards/{board_key}/comments/{comment_key}", []),
    "remove_board_comment": (Host.BOARDS, "DELETE", "/x/v1/boards/{board_key}/comments/{comment_key}", []),
    "add_to_board": (Host.BOARDS, "POST", "/x/v1/boards/{board_key}/objects", []),
    "remove_from_board": (Host.BOARDS, "POST", "/x/v1/boards/{board_key}/objects/remove", []),
    "delete_board": (Host.BOARDS, "DELETE", "/x/v1/boards/{board_key}", []),
    "board_shares": (Host.METADATA, "GET", "/x/v1/boards/{board_key}/shares", ["cursor", "limit"]),
    "add_board_share": (Host.METADATA, "POST", "/x/v1/boards/{board_key}/shares", []),
    "board_guest_files": (Host.METADATA, "GET", "/x/v1/boards/{board_key}/guest-files", []),
    "tag_list": (Host.METADATA, "GET", "/x/v1/tags", ["cursor", "limit"]),
    "add_tag": (Host.METADATA, "POST", "/x/v1/tags", []),
    "tagged_objects": (Host.METADATA, "GET", "/x/v1/tags/{tag_key}/objects", ["cursor", "limit"]),
    "rename_tag": (Host.METADATA, "PUT", "/x/v1/tags/{tag_key}", []),
    "remove_tag": (Host.METADATA, "POST", "/x/v1/tags/remove", []),
    "delete_tag": (Host.METADATA, "DELETE", "/x/v1/tags/{tag_key}", []),
    "timeline": (Host.METADATA, "GET", "/x/v1/timeline", []),
    "timeline_objects": (Host.METADATA, "GET", "/x/v1/timeline/objects", ["cursor", "limit", "year", "month"]),
    "photo_facts": (Host.METADATA, "GET", "/x/v1/photos/facts", ["objectKeys"]),
    "photo_places": (Host.METADATA, "GET", "/x/v1/photos/places", ["cursor", "limit"]),
    "favorites": (Host.METADATA, "GET", "/x/v1/favorites", ["cursor", "limit", "order"]),
    "add_contact": (Host.CONTACTS, "POST", "/x/v1/contacts", []),
    "edit_contact": (Host.CONTACTS, "PUT", "/x/v1/contacts/{contact_key}", []),
    "remove_contacts": (Host.CONTACTS, "POST", "/x/v1/contacts/remove", []),
    "import_contacts": (Host.CONTACTS, "POST", "/x/v1/contacts/import", []),
    "export_contacts": (Host.CONTACTS, "GET", "/x/v1/contacts/export", ["cursor", "limit"]),
    "received_invitations": (Host.BOARDS, "GET", "/x/v1/invitations", ["cursor", "limit"]),
    "accept_invitation": (Host.BOARDS, "POST", "/x/v1/invitations/accept", []),
    "decline_invitation": (Host.BOARDS, "POST", "/x/v1/invitations/decline", []),
    "upload": (Host.UPLOAD, "POST", "/upload/files", []),
    "upload_many": (Host.UPLOAD, "POST", "/x/v1/uploads/many", []),
    "initiate_upload": (Host.UPLOAD, "POST", "/upload/files/chunked/initiate", []),
    "upload_chunk": (Host.UPLOAD, "PUT", "/upload/files/chunked", ["uploadId"]),
    "contents": (Host.DOWNLOAD, "GET", "/x/v1/contents", ["objectKeys"]),
    "text": (Host.METADATA, "GET", "/x/v1/texts/{object_key}", ["start", "length"]),
    "placeholders": (Host.METADATA, "GET", "/x/v1/placeholders", ["objectKeys"]),
    "locations": (Host.METADATA, "GET", "/x/v1/locations", ["objectKeys"]),
    "covers": (Host.METADATA, "GET", "/x/v1/covers", ["objectKeys"]),
    "copy": (Host.METADATA, "POST", "/x/v1/copies", []),
    "executable": (Host.METADATA, "PUT", "/x/v1/executable", []),
    "storage_use": (Host.METADATA, "GET", "/x/v1/storage", []),
    "largest_files": (Host.METADATA, "GET", "/x/v1/storage/largest", ["cursor", "limit"]),
    "duplicates": (Host.METADATA, "GET", "/x/v1/storage/duplicates", ["cursor", "limit"]),
    "old_versions": (Host.METADATA, "GET", "/x/v1/storage/versions", ["cursor", "limit"]),
    "remove_versions": (Host.METADATA, "POST", "/x/v1/storage/versions/remove", []),
    "create_archive": (Host.METADATA, "POST", "/x/v1/archives", []),
    "download_archive": (Host.DOWNLOAD, "GET", "/download/archives/{archive_key}", ["nonce"]),
    "begin_export": (Host.ACCOUNT, "POST", "/x/v1/account/export", []),
    "export_parts": (Host.ACCOUNT, "GET", "/x/v1/account/export/parts", ["export"]),
    "download_export": (Host.DOWNLOAD, "GET", "/download/export", ["part", "nonce"]),
    "object_location": (Host.METADATA, "GET", "/x/v1/objects/{object_key}", []),
    "object_changes": (Host.METADATA, "GET", "/x/v1/objects/{object_key}/changes", []),
    "share_page": (Host.SHARE, "GET", "/l/", ["u"]),
    "change_password": (Host.ACCOUNT, "POST", "/x/v1/account/password", []),
    "edit_profile": (Host.ACCOUNT, "PUT", "/x/v1/account/profile", []),
    "own_devices": (Host.ACCOUNT, "GET", "/x/v1/account/devices", []),
    "account_events": (Host.ACCOUNT, "GET", "/x/v1/account/events", ["cursor", "limit", "kind"]),
    "end_session": (Host.ACCOUNT, "POST", "/x/v1/account/sessions/end", []),
    "end_other_sessions": (Host.ACCOUNT, "POST", "/x/v1/account/sessions/end-others", []),
    "rename_device": (Host.ACCOUNT, "PUT", "/x/v1/account/devices/{device_key}", []),
    "remove_device": (Host.ACCOUNT, "DELETE", "/x/v1/account/devices/{device_key}", []),
    "admin_accounts": (Host.ACCOUNT, "GET", "/x/v1/admin/accounts", ["cursor", "limit", "search"]),
    "admin_add_account": (Host.ACCOUNT, "POST", "/x/v1/admin/accounts", []),
    "admin_edit_account": (Host.ACCOUNT, "PUT", "/x/v1/admin/accounts/{account_key}", []),
    "admin_password_link": (Host.ACCOUNT, "POST", "/x/v1/admin/accounts/{account_key}/link", []),
    "admin_operator_role": (Host.ACCOUNT, "PUT", "/x/v1/admin/accounts/{account_key}/operator", []),
    "admin_reset_second_factor": (Host.ACCOUNT, "POST", "/x/v1/admin/accounts/{account_key}/second-factor/reset", []),
    "admin_delete_account": (Host.ACCOUNT, "POST", "/x/v1/admin/accounts/{account_key}/deletion", []),
    "admin_keep_account": (Host.ACCOUNT, "POST", "/x/v1/admin/accounts/{account_key}/deletion/cancel", []),
    "admin_alarms": (Host.ACCOUNT, "GET", "/x/v1/admin/alarms", ["decided", "limit"]),
    "admin_sessions": (Host.ACCOUNT, "GET", "/x/v1/admin/sessions", ["limit"]),
    "admin_account_sessions": (Host.ACCOUNT, "GET", "/x/v1/admin/accounts/{account_key}/sessions", ["limit"]),
    "admin_end_sessions": (Host.ACCOUNT, "POST", "/x/v1/admin/accounts/{account_key}/sessions/end", []),
    "admin_banners": (Host.ACCOUNT, "GET", "/x/v1/admin/banners", []),
    "admin_add_banner": (Host.ACCOUNT, "POST", "/x/v1/admin/banners", []),
    "admin_edit_banner": (Host.ACCOUNT, "PUT", "/x/v1/admin/banners/{banner_key}", []),
    "admin_remove_banner": (Host.ACCOUNT, "DELETE", "/x/v1/admin/banners/{banner_key}", []),
    "admin_release_brake": (Host.ACCOUNT, "POST", "/x/v1/admin/brakes/release", []),
    "admin_health": (Host.ACCOUNT, "GET", "/x/v1/admin/health", []),
    "welcome": (Host.ACCOUNT, "GET", "/x/v1/welcome", []),
    "request_password_mail": (Host.ACCOUNT, "POST", "/x/v1/password-mail", []),
    "use_link": (Host.ACCOUNT, "POST", "/x/v1/welcome", []),
    "delete_account": (Host.ACCOUNT, "POST", "/x/v1/account/deletion", []),
    "keep_account": (Host.ACCOUNT, "POST", "/x/v1/account/deletion/cancel", []),
    "second_factor": (Host.ACCOUNT, "GET", "/x/v1/account/second-factor", []),
    "begin_second_factor": (Host.ACCOUNT, "POST", "/x/v1/account/second-factor/begin", []),
    "confirm_second_factor": (Host.ACCOUNT, "POST", "/x/v1/account/second-factor/confirm", []),
    "turn_off_second_factor": (Host.ACCOUNT, "POST", "/x/v1/account/second-factor/off", []),
    "renew_recovery_codes": (Host.ACCOUNT, "POST", "/x/v1/account/second-factor/codes", []),
    "login_by_provider": (Host.ACCOUNT, "POST", "/x/v1/login/provider", []),
    "identities": (Host.ACCOUNT, "GET", "/x/v1/identities", []),
    "begin_link": (Host.ACCOUNT, "POST", "/x/v1/identities/begin", []),
    "finish_link": (Host.ACCOUNT, "POST", "/x/v1/identities", []),
    "unlink_identity": (Host.ACCOUNT, "POST", "/x/v1/identities/unlink", []),
    "app_passwords": (Host.ACCOUNT, "GET", "/x/v1/app-passwords", []),
    "add_app_password": (Host.ACCOUNT, "POST", "/x/v1/app-passwords", []),
    "revoke_app_password": (Host.ACCOUNT, "DELETE", "/x/v1/app-passwords/{device_key}", []),
    "delegations": (Host.ACCOUNT, "GET", "/x/v1/delegations", []),
    "add_delegation": (Host.ACCOUNT, "POST", "/x/v1/delegations", []),
    "end_delegation": (Host.ACCOUNT, "DELETE", "/x/v1/delegations/{device_key}", []),
    "own_delegation": (Host.ACCOUNT, "GET", "/x/v1/delegations/own", []),
    "own_shares": (Host.METADATA, "GET", "/x/v1/shares", ["cursor", "limit"]),
    "add_share": (Host.METADATA, "POST", "/x/v1/shares", []),
    "own_share": (Host.METADATA, "GET", "/x/v1/shares/{share_key}", []),
    "edit_share": (Host.METADATA, "PUT", "/x/v1/shares/{share_key}", []),
    "revoke_share": (Host.METADATA, "DELETE", "/x/v1/shares/{share_key}", []),
    "purge": (Host.METADATA, "POST", "/x/v1/trash/purge", []),
    "empty_trash": (Host.METADATA, "POST", "/x/v1/trash/empty", []),
    "search": (
        Host.METADATA,
        "GET",
        "/x/v1/search",
        [
            "query",
            "extension",
            "kind",
            "isFavorite",
            "sizeFrom",
            "sizeTo",
            "modifiedFrom",
            "modifiedTo",
            "createdFrom",
            "createdTo",
            "takenFrom",
            "takenTo",
            "tag",
            "folderKey",
            "cursor",
            "limit",
        ],
    ),
    "changes": (Host.METADATA, "GET", "/x/v1/changes", ["cursor", "limit"]),
    "epoch": (Host.METADATA, "GET", "/x/v1/epoch", ["cursor"]),
    "history": (
        Host.METADATA,
        "GET",
        "/x/v1/history",
        ["objectKey", "folderKey", "since", "until", "deviceKey", "session", "kind", "cursor", "limit"],
    ),
    "past_folder": (Host.METADATA, "GET", "/x/v1/history/folders/{object_key}", ["at", "name", "cursor", "limit"]),
    "past_object": (Host.METADATA, "GET", "/x/v1/history/objects/{object_key}", ["at"]),
    "history_differences": (
        Host.METADATA,
        "GET",
        "/x/v1/history/differences",
        ["since", "until", "folderKey", "cursor", "limit"],
    ),
    "past_file": (Host.DOWNLOAD, "GET", "/download/history/{object_key}", ["at"]),
    "history_settings": (Host.METADATA, "GET", "/x/v1/history/settings", []),
    "set_history": (Host.METADATA, "PUT", "/x/v1/history/settings", []),
    "forget_history": (Host.METADATA, "POST", "/x/v1/history/forget", []),
    "operator_consent": (Host.METADATA, "GET", "/x/v1/history/operator-consent", []),
    "set_operator_consent": (Host.METADATA, "PUT", "/x/v1/history/operator-consent", []),
    "history_head": (Host.METADATA, "GET", "/x/v1/history/proof/head", []),
    "history_consistency": (Host.METADATA, "GET", "/x/v1/history/proof/consistency", ["oldSize", "size"]),
    "history_inclusion": (Host.METADATA, "GET", "/x/v1/history/proof/inclusion", ["number", "size"]),
    "history_leaves": (Host.METADATA, "GET", "/x/v1/history/proof/leaves", ["number", "limit"]),
    "history_keys": (Host.METADATA, "GET", "/x/v1/history/proof/keys", []),
    "alarms": (Host.METADATA, "GET", "/x/v1/alarms", []),
    "allow_device": (Host.METADATA, "POST", "/x/v1/alarms/{device_key}/allow", []),
    "end_paused_session": (Host.METADATA, "POST", "/x/v1/alarms/{device_key}/end", []),
    "alarm_settings": (Host.METADATA, "GET", "/x/v1/alarms/settings", []),
    "set_alarm_limit": (Host.METADATA, "PUT", "/x/v1/alarms/settings", []),
    "plan_rewind": (Host.METADATA, "POST", "/x/v1/rewind/plan", []),
    "start_rewind": (Host.METADATA, "POST", "/x/v1/rewind", []),
    "rewinds": (Host.METADATA, "GET", "/x/v1/rewind", []),
    "rewind": (Host.METADATA, "GET", "/x/v1/rewind/{rewind_key}", []),
    "rewind_problems": (Host.METADATA, "GET", "/x/v1/rewind/{rewind_key}/problems", ["cursor", "limit"]),
    "cancel_rewind": (Host.METADATA, "POST", "/x/v1/rewind/{rewind_key}/cancel", []),
    "undo_rewind": (Host.METADATA, "POST", "/x/v1/rewind/{rewind_key}/undo", []),
    "everything": (Host.METADATA, "GET", "/x/v1/changes/everything", ["cursor", "limit"]),
    "change_stream": (Host.METADATA, "GET", "/x/v1/changes/stream", ["cursor", "boardKey", "invitations", "seconds"]),
    "unfinished_uploads": (Host.UPLOAD, "GET", "/x/v1/uploads", ["cursor", "limit"]),
    "cancel_upload": (Host.UPLOAD, "DELETE", "/x/v1/uploads/{upload_key}", []),
    "restore_version": (Host.METADATA, "POST", "/x/v1/versions/restore", []),
}

STATUS_OF_SUCCESS = {
    "add_passkey": 201,
    "begin_export": 201,
    "rename_passkey": 204,
    "remove_passkey": 204,
    "create_folder": 201,
    "create_share": 201,
    "create_board": 201,
    "invite_to_board": 201,
    "create_board_link": 201,
    "add_board_comment": 201,
    "add_contact": 201,
    "add_app_password": 201,
    "revoke_app_password": 204,
    "add_delegation": 201,
    "end_delegation": 204,
    "upload": 201,
    "initiate_upload": 201,
    "logout": 204,
    "request_password_mail": 204,
    "add_share": 201,
    "add_board_share": 201,
    "create_archive": 201,
    "revoke_share": 204,
    "revoke_board_invitation": 204,
    "revoke_board_link": 204,
    "remove_board_member": 204,
    "remove_board_comment": 204,
    "delete_board": 204,
    "delete_tag": 204,
    "cancel_upload": 204,
    "end_session": 204,
    "rename_device": 204,
    "remove_device": 204,
    "admin_add_account": 201,
    "admin_password_link": 201,
    "admin_add_banner": 201,
    "admin_remove_banner": 204,
    "keep_account": 204,
    "turn_off_second_factor": 204,
}

KEY = "0190A5B2C3D47E5F8A9BACBDCEDFE0F1"


OURS_BESIDE = {"thumbnail": ["of"], "default_view": ["cursor"], "listing": ["cursor"], "trash": ["cursor"]}
"""What a call of the interface can be given beyond it; nobody has to."""


def _shape(endpoint: Endpoint) -> tuple[Host, str, str, list[str]]:
    beside = OURS_BESIDE.get(endpoint.name, [])
    query = [field for field in fields(endpoint.query) if field.encode_name not in beside] if endpoint.query else []
    return endpoint.host, endpoint.method, endpoint.path, [field.encode_name for field in query]


def test_exactly_the_thirty_calls_of_the_interface_exist() -> None:
    ours = {endpoint.name: _shape(endpoint) for endpoint in ENDPOINTS if endpoint.origin is Origin.INTERFACE}
    assert ours == OF_THE_INTERFACE
    assert len(ours) == 30
    optional = {
        (one.name, field.encode_name): not field.required
        for one in ENDPOINTS
        if one.query
        for field in fields(one.query)
    }
    assert all(optional[name, field] for name, beside in OURS_BESIDE.items() for field in beside)


def test_exactly_the_calls_of_the_completions_exist() -> None:
    assert {
        endpoint.name: _shape(endpoint) for endpoint in ENDPOINTS if endpoint.origin is Origin.COMPLETIONS
    } == COMPLETING


OF_OTHER_CLIENTS = {
    "short_default_view": (
        Host.METADATA,
        "GET",
        "/nms/metadata/defaultview",
        ["folderKey", "limit", "type", "sort", "cursor"],
    ),
    "category": (
        Host.METADATA,
        "GET",
        "/nms/metadata/mimetype/myfiles/v1",
        ["mimeType", "limit", "sort", "cursor"],
    ),
    "object_info": (Host.METADATA, "GET", "/nms/metadata/info/{object_key}", []),
    "keyword": (Host.METADATA, "GET", "/ase/search/keyword", ["q", "limit", "cursor"]),
    "flat_batch": (Host.METADATA, "PUT", "/nms/metadata", []),
    "trash_objects": (Host.METADATA, "PUT", "/nms/metadata/trash", []),
    "board_addition": (Host.BOARDS, "POST", "/boards/{board_key}/addition", []),
    "refresh_token": (Host.ACCOUNT, "POST", "/account/token/refresh", []),
    "refresh_token_by_put": (Host.ACCOUNT, "PUT", "/account/token/refresh", []),
    "short_download": (Host.DOWNLOAD, "GET", "/download/{object_key}", ["version", "nonce"]),
    "metadata_download": (Host.DOWNLOAD, "GET", "/nms/metadata/download/{object_key}", ["version", "nonce"]),
}


def test_exactly_the_calls_of_other_clients_exist() -> None:
    assert {
        endpoint.name: _shape(endpoint) for endpoint in ENDPOINTS if endpoint.origin is Origin.OTHER_CLIENTS
    } == OF_OTHER_CLIENTS


def test_one_thing_is_removed_by_delete_on_its_path() -> None:
    by_post = {one.name for one in ENDPOINTS if one.method == "POST" and one.path.endswith("/remove")}
    several = {"remove_from_board", "remove_tag", "remove_contacts", "remove_versions"}
    assert by_post == several, "several at once, and each is reported of"
    for endpoint in ENDPOINTS:
        if endpoint.method == "DELETE":
            assert endpoint.path.endswith("}")
            assert (set(endpoint.answers), endpoint.body_kind) == ({204}, BodyKind.NONE)


def test_names_and_routes_are_unique() -> None:
    assert len(BY_NAME) == len(ENDPOINTS)
    assert len({(endpoint.method, endpoint.path) for endpoint in ENDPOINTS}) == len(ENDPOINTS)


def test_a_host_is_named_by_its_setting() -> None:
    assert [host.value for host in Host] == [
        "base_url",
        "metadata_url",
        "download_url",
        "boards_url",
        "contacts_url",
        "messaging_url",
        "upload_url",
        "share_base",
    ]


def test_a_success_has_the_status_of_the_interface(subtests: pytest.Subtests) -> None:
    for endpoint in ENDPOINTS:
        with subtests.test(endpoint.name):
            assert endpoint.success == STATUS_OF_SUCCESS.get(endpoint.name, 200)


OPEN = {
    "login",
    "passkey_login",
    "begin_passkey_login",
    "refresh_token",
    "refresh_token_by_put",
    "welcome",
    "use_link",
    "request_password_mail",
    "login_by_provider",
}
"""Calls of the account host that need neither a session nor headers: they are for people without a session."""


def test_the_required_headers_follow_the_host(subtests: pytest.Subtests) -> None:
    for endpoint in ENDPOINTS:
        with subtests.test(endpoint.name):
            required = [(header.name, header.error.code) for header in endpoint.required_headers]
            if endpoint.host in {Host.DOWNLOAD, Host.UPLOAD, Host.SHARE} or endpoint.name in OPEN:
                assert required == []
            elif endpoint.host is Host.BOARDS:
                assert required == [("Content-Type", "BRSOM0036"), ("Accept-Language", "NMSOM0001")]
            else:
                assert required == [("Content-Type", "NMSOM0003"), ("Accept-Language", "NMSOM0001")]


def test_only_logins_links_and_share_pages_are_public_and_only_downloads_take_a_nonce(
    subtests: pytest.Subtests,
) -> None:
    for endpoint in ENDPOINTS:
        with subtests.test(endpoint.name):
            if endpoint.name in {*OPEN, "share_page"}:
                assert endpoint.access is Access.PUBLIC
            elif endpoint.host is Host.DOWNLOAD and endpoint.name != "contents":
                assert endpoint.access is Access.SESSION_OR_NONCE
            elif endpoint.path.startswith("/x/v1/admin/"):
                assert endpoint.access is Access.OPERATOR
                assert error_codes.NOT_OFFERED in endpoint.all_errors
            else:
                assert endpoint.access is Access.SESSION
            codes = {error.code for error in endpoint.all_errors}
            assert ("TEJGA0401" in codes) == (
                endpoint.access is not Access.PUBLIC or endpoint.name.startswith("refresh_token")
            )


def test_a_body_has_a_kind_and_a_json_answer_has_a_model(subtests: pytest.Subtests) -> None:
    for endpoint in ENDPOINTS:
        with subtests.test(endpoint.name):
            assert (endpoint.body is not None) == (endpoint.body_kind in {BodyKind.JSON, BodyKind.MULTIPART})
            for answer in endpoint.answers.values():
                assert (answer.model is not None) == (answer.kind is AnswerKind.JSON)


def test_a_summary_is_a_sentence_and_errors_are_listed_once(subtests: pytest.Subtests) -> None:
    for endpoint in ENDPOINTS:
        with subtests.test(endpoint.name):
            assert endpoint.summary.endswith(".")
            assert len(set(endpoint.all_errors)) == len(endpoint.all_errors)
            assert error_codes.INTERNAL in endpoint.all_errors


def test_a_malformed_batch_has_no_other_code_than_that_of_the_interface() -> None:
    assert error_codes.BATCH_MALFORMED in BATCH.all_errors
    assert not {error_codes.INVALID_REQUEST, error_codes.NOT_JSON} & set(BATCH.all_errors)
    assert {error_codes.INVALID_REQUEST, error_codes.NOT_JSON} <= set(CREATE_FOLDER.all_errors)


def test_only_the_legacy_delete_is_deprecated() -> None:
    assert [endpoint for endpoint in ENDPOINTS if endpoint.deprecated] == [LEGACY_DELETE]


def test_reading_is_idempotent_and_creating_is_not() -> None:
    assert all(endpoint.idempotent for endpoint in ENDPOINTS if endpoint.method == "GET")
    assert BATCH.idempotent
    assert INITIATE_UPLOAD.idempotent
    assert not CREATE_FOLDER.idempotent
    assert not LEAVE_BOARD.idempotent


def test_downloads_and_share_pages_answer_head() -> None:
    assert {endpoint.name for endpoint in ENDPOINTS if "HEAD" in endpoint.methods} == {
        "download",
        "download_archive",
        "download_export",
        "past_file",
        "thumbnail",
        "share_page",
        "short_download",
        "metadata_download",
    }
    assert DOWNLOAD.methods == ("GET", "HEAD")
    assert CREATE_BOARD.methods == ("POST",)


def test_a_download_can_answer_a_part_or_nothing_new() -> None:
    assert set(DOWNLOAD.answers) == {200, 206, 304}
    assert set(THUMBNAIL.answers) == {200, 304}


def test_a_chunk_at_the_wrong_place_gets_the_right_one() -> None:
    assert UPLOAD_CHUNK.error_bodies == {409: OffsetConflict}
    body = OffsetConflict(code=error_codes.UPLOAD_OFFSET.code, message="m", transaction_id="t", offset=0)
    assert json.encode(body) == b'{"code":"SKY4001","message":"m","transactionId":"t","offset":0}'


def test_an_upload_that_needs_no_byte_is_answered_like_one_that_begins() -> None:
    assert {status: answer.model for status, answer in INITIATE_UPLOAD.answers.items()} == {
        201: UploadProgress | CloudObject
    }


def test_a_server_knows_how_much_to_read() -> None:
    assert BATCH.body_bytes_max == JSON_BODY_BYTES_MAX
    assert BY_NAME["login"].body_bytes_max == JSON_BODY_BYTES_DEFAULT
    assert LEAVE_BOARD.body_bytes_max == JSON_BODY_BYTES_DEFAULT
    assert UPLOAD_CHUNK.body_bytes_max == CHUNK_BYTES_MAX
    assert UPLOAD.body_bytes_max > CHUNK_BYTES_MAX
    assert LISTING.body_bytes_max == 0


def test_the_table_gives_the_types_of_both_directions() -> None:
    assert BY_NAME["profile"].answers[200].model is UserProfile
    assert LEAVE_BOARD.body is UnjoinRequest


def test_a_path_is_filled_in_and_percent_encoded() -> None:
    assert VERSIONS.url_path(object_key=KEY) == f"/nms/metadata/version/{KEY}"
    assert BOARD_DETAILS.url_path(board_key="a/b?c é") == "/boards/a%2Fb%3Fc%20%C3%A9"
    assert LISTING.url_path() == "/nms/metadata"


def test_a_path_is_refused_when_a_parameter_is_missing_or_unknown() -> None:
    with pytest.raises(TypeError, match="object_key"):
        VERSIONS.url_path()
    with pytest.raises(TypeError, match="board_key"):
        VERSIONS.url_path(object_key=KEY, board_key=KEY)


@pytest.mark.parametrize("escape", ["", ".", ".."])
def test_a_parameter_cannot_lead_to_another_path(escape: str) -> None:
    with pytest.raises(ValueError, match="board_key"):
        BOARD_DETAILS.url_path(board_key=escape)

"""Which use case handles which endpoint. Handlers that do more than pass on arguments have their own modules."""

from typing import Final

from skyshelf.server.api import account, downloads, operators, uploads
from skyshelf.server.api.account import use_confirmed
from skyshelf.server.api.call import Handler, HandlerKind, use
from skyshelf.service import other_clients
from skyshelf.service.accounts import (
    alarms,
    app_passwords,
    delegations,
    own_account,
    password_links,
    second_factor,
    sessions,
)
from skyshelf.service.accounts.passkeys import assertions, own_passkeys
from skyshelf.service.audit import search as audit_search
from skyshelf.service.boards import boards, invitations, items
from skyshelf.service.contacts import contacts
from skyshelf.service.exporting import exports
from skyshelf.service.files import batches, listings, photos, search, storage_use, tags, thumbnails, trash
from skyshelf.service.files import changes as feed
from skyshelf.service.files.downloads import file_versions, restore_version
from skyshelf.service.history import consents, history, logs, rewinds
from skyshelf.service.history import settings as history_settings
from skyshelf.service.identity import links as identity_links
from skyshelf.service.mail import outgoing
from skyshelf.service.operator import banners, promotions
from skyshelf.service.sharing import links, manage
from skyshelf.service.uploads import chunked
from skyshelf.wire.resources.boards import DeclineAnswer, UnjoinAnswer

_IMPORT: Final = HandlerKind.IMPORT
_PASSWORD: Final = HandlerKind.PASSWORD

_ACCOUNT: Final = {
    # A promotion may end at any time.
    "profile": use(own_account.profile, "ctx", "caller", at_once=True, remembered_ms=1000),
    "promotions": use(promotions.promotions, "ctx", "caller"),
    "app_settings": use(own_account.app_settings, "ctx", at_once=True),
    "banners": use(banners.live_banners, "ctx"),
    "session": use(sessions.current, "ctx", "caller"),
    "change_password": use_confirmed(own_account.change_password, "ctx", "caller", "body", "address"),
    "edit_profile": use(own_account.edit_profile, "ctx", "caller", "body"),
    "own_devices": use(own_account.own_devices, "ctx", "caller"),
    "account_events": use(audit_search.own_events, "ctx", "caller", "query"),
    "end_session": use(own_account.end_session, "ctx", "caller", "body"),
    "end_other_sessions": use(own_account.end_other_sessions, "ctx", "caller"),
    "rename_device": use(own_account.rename_device, "ctx", "caller", "device_key", "body"),
    "remove_device": use(own_account.remove_device, "ctx", "caller", "device_key"),
    "delete_account": use_confirmed(own_account.delete_account, "ctx", "caller", "body", "address"),
    "keep_account": use(own_account.cancel_deletion, "ctx", "caller"),
    "begin_export": use_confirmed(exports.begin, "ctx", "caller", "body", "address", "origin"),
    "export_parts": use(exports.parts, "ctx", "caller", "query", "origin", kind=_IMPORT),
    "second_factor": use(second_factor.status, "ctx", "caller"),
    "begin_second_factor": use_confirmed(second_factor.begin, "ctx", "caller", "body", "address"),
    "confirm_second_factor": use(second_factor.confirm, "ctx", "caller", "body", "address"),
    "turn_off_second_factor": use_confirmed(second_factor.turn_off, "ctx", "caller", "body", "address", "origin"),
    "renew_recovery_codes": use_confirmed(second_factor.renew_codes, "ctx", "caller", "body", "address", "origin"),
    "second_factor_by_passkey": use_confirmed(
        second_factor.turn_on_by_passkey, "ctx", "caller", "body", "address", "origin"
    ),
    "begin_passkey_login": use(assertions.begin, "ctx", "origin"),
    "passkeys": use(own_passkeys.listed, "ctx", "caller"),
    "passkey_challenge": use(own_passkeys.challenge, "ctx", "caller", "origin"),
    "begin_passkey": use_confirmed(own_passkeys.begin, "ctx", "caller", "body", "address", "origin"),
    "add_passkey": use(own_passkeys.add, "ctx", "caller", "body", "origin"),
    "rename_passkey": use(own_passkeys.rename, "ctx", "caller", "passkey_key", "body"),
    "app_passwords": use(app_passwords.listed, "ctx", "caller"),
    "add_app_password": use_confirmed(app_passwords.add, "ctx", "caller", "body", "address", "origin"),
    "revoke_app_password": use(app_passwords.revoke, "ctx", "caller", "device_key"),
    "delegations": use(delegations.listed, "ctx", "caller"),
    "add_delegation": use(delegations.add, "ctx", "caller", "body"),
    "end_delegation": use(delegations.end, "ctx", "caller", "device_key"),
    "own_delegation": use(delegations.own, "ctx", "caller"),
    "identities": use(identity_links.own_identities, "ctx", "caller"),
    "unlink_identity": use(identity_links.unlink, "ctx", "caller", "body"),
    "welcome": use(password_links.welcome, "ctx", "headers"),
    "request_password_mail": use(outgoing.request_password_mail, "ctx", "body", "address"),
    "use_link": use(password_links.use_link, "ctx", "body", "address", kind=_PASSWORD, precheck=account.check_link),
}

_FILES: Final = {
    "default_view": downloads.LISTING,
    "listing": downloads.LISTING,
    "object_location": use(listings.object_location, "ctx", "caller", "object_key", "origin", at_once=True),
    "locations": use(search.locations, "ctx", "caller", "query"),
    "covers": use(search.covers, "ctx", "caller", "query"),
    "copy": use(batches.copy, "ctx", "caller", "body", "origin"),
    "executable": use(batches.set_executable, "ctx", "caller", "body", "origin"),
    "storage_use": use(storage_use.storage_use, "ctx", "caller"),
    "largest_files": use(storage_use.largest_files, "ctx", "caller", "query", "origin"),
    "duplicates": use(storage_use.duplicates, "ctx", "caller", "query", "origin"),
    "old_versions": use(storage_use.old_versions, "ctx", "caller", "query", "origin"),
    "remove_versions": use(storage_use.remove_versions, "ctx", "caller", "body"),
    "batch": use(batches.apply_batch, "ctx", "caller", "body", "origin"),
    "create_folder": use(batches.create_folder, "ctx", "caller", "body", "origin"),
    "trash": use(trash.trash_listing, "ctx", "caller", "query", "origin", "path"),
    "restore": use(trash.restore, "ctx", "caller", "body", "origin"),
    "legacy_delete": use(trash.reject_legacy_delete, "body"),
    "purge": use(trash.purge, "ctx", "caller", "body"),
    "empty_trash": use(trash.empty_trash, "ctx", "caller"),
    "versions": use(file_versions, "ctx", "caller", "object_key"),
    "restore_version": use(restore_version, "ctx", "caller", "body", "origin"),
    "search": use(search.search, "ctx", "caller", "query", "origin"),
    "object_changes": use(feed.object_changes, "ctx", "caller", "object_key"),
    "alarms": use(alarms.alarms, "ctx", "caller"),
    "end_paused_session": use(alarms.end, "ctx", "caller", "device_key"),
    "alarm_settings": use(alarms.settings, "ctx", "caller"),
    "set_alarm_limit": use_confirmed(alarms.set_limit, "ctx", "caller", "body", "address", "origin"),
    "history": use(history.history, "ctx", "caller", "query"),
    "past_object": use(history.past_object, "ctx", "caller", "object_key", "query", "origin"),
    "history_differences": use(history.differences, "ctx", "caller", "query"),
    "past_folder": use(history.past_folder, "ctx", "caller", "object_key", "query", "origin"),
    "history_settings": use(history_settings.history_settings, "ctx", "caller"),
    "set_history": use_confirmed(history_settings.set_history, "ctx", "caller", "body", "address", "origin"),
    "forget_history": use_confirmed(history_settings.forget_history, "ctx", "caller", "body", "address", "origin"),
    "operator_consent": use(consents.consent, "ctx", "caller"),
    "set_operator_consent": use(consents.set_consent, "ctx", "caller", "body"),
    "plan_rewind": use(rewinds.plan_rewind, "ctx", "caller", "body"),
    "start_rewind": use(rewinds.start_rewind, "ctx", "caller", "body"),
    "rewinds": use(rewinds.rewinds, "ctx", "caller"),
    "rewind": use(rewinds.rewind, "ctx", "caller", "rewind_key"),
    "rewind_problems": use(rewinds.rewind_problems, "ctx", "caller", "rewind_key", "query"),
    "cancel_rewind": use(rewinds.cancel_rewind, "ctx", "caller", "rewind_key"),
    "undo_rewind": use(rewinds.undo_rewind, "ctx", "caller", "rewind_key"),
    "history_head": use(logs.head, "ctx", "caller"),
    "history_consistency": use(logs.consistency, "ctx", "caller", "query"),
    "history_inclusion": use(logs.inclusion, "ctx", "caller", "query"),
    "history_leaves": use(logs.leaves, "ctx", "caller", "query"),
    "history_keys": use(logs.keys, "ctx", "caller"),
    "epoch": use(feed.epoch, "ctx", "caller", "query"),
    "changes": use(feed.changes, "ctx", "caller", "query", "origin"),
    "everything": use(feed.everything, "ctx", "caller", "query", "origin"),
    "recent": use(listings.recent, "ctx", "caller", "origin"),
    "spotlights": use(photos.spotlights, "ctx", "caller", "query", "origin"),
    "shared_by_me": use(listings.shared_by_me, "ctx", "caller", "query", "origin"),
    "linked_app": use(listings.of_linked_app, "ctx", "caller", "query", "origin"),
    "supported_documents": use(thumbnails.supported_documents),
    "timeline": use(listings.timeline_months, "ctx", "caller"),
    "timeline_objects": use(photos.timeline_objects, "ctx", "caller", "query", "origin"),
    "photo_facts": use(photos.photo_facts, "ctx", "caller", "query"),
    "photo_places": use(photos.photo_places, "ctx", "caller", "query"),
    "favorites": use(listings.favorites, "ctx", "caller", "query", "origin"),
    "recent_tags": use(tags.recent_tags, "ctx", "caller"),
    "object_tags": use(tags.object_tags, "ctx", "caller", "object_key"),
    "add_tag": use(tags.add_tag, "ctx", "caller", "body"),
    "remove_tag": use(tags.remove_tag, "ctx", "caller", "body"),
    "tag_list": use(tags.tag_list, "ctx", "caller", "query"),
    "tagged_objects": use(tags.tagged_objects, "ctx", "caller", "tag_key", "query", "origin"),
    "rename_tag": use(tags.rename_tag, "ctx", "caller", "tag_key", "body"),
    "delete_tag": use(tags.delete_tag, "ctx", "caller", "tag_key"),
    "unfinished_uploads": use(chunked.unfinished_uploads, "ctx", "caller", "query"),
    "cancel_upload": use(chunked.cancel_upload, "ctx", "caller", "upload_key"),
}

# Setting a share's password hashes it.
_SHARES: Final = {
    "create_share": use(links.create_share, "ctx", "caller", "body", "origin"),
    "own_shares": use(manage.own_shares, "ctx", "caller", "query", "origin"),
    "board_shares": use(manage.board_shares, "ctx", "caller", "board_key", "query", "origin"),
    "board_guest_files": use(manage.board_guest_files, "ctx", "caller", "board_key"),
    "add_board_share": use(manage.create_board_share, "ctx", "caller", "board_key", "body", "origin", kind=_PASSWORD),
    "own_share": use(manage.own_share, "ctx", "caller", "share_key", "origin"),
    "add_share": use(manage.create_own_share, "ctx", "caller", "body", "origin", kind=_PASSWORD),
    "edit_share": use(manage.edit_share, "ctx", "caller", "share_key", "body", "origin", kind=_PASSWORD),
    "revoke_share": use(manage.revoke_share, "ctx", "caller", "share_key"),
}

_BOARDS: Final = {
    "board_list": use(boards.list_boards, "ctx", "caller", "query"),
    "create_board": use(boards.create_board, "ctx", "caller", "body"),
    "board_details": use(boards.board_details, "ctx", "caller", "board_key", "query", "origin"),
    "edit_board": use(boards.edit_board, "ctx", "caller", "board_key", "body"),
    "set_board_cover": use(boards.set_cover, "ctx", "caller", "board_key", "body"),
    "delete_board": use(boards.delete_board, "ctx", "caller", "board_key"),
    "leave_board": use(boards.leave_board, "ctx", "caller", "board_key", answer=UnjoinAnswer()),
    "add_to_board": use(items.add_to_board, "ctx", "caller", "board_key", "body", "origin"),
    "remove_from_board": use(items.remove_from_board, "ctx", "caller", "board_key", "body"),
    "board_members": use(boards.board_members, "ctx", "caller", "board_key"),
    "set_board_role": use(boards.set_board_role, "ctx", "caller", "board_key", "user_id", "body"),
    "remove_board_member": use(boards.remove_board_member, "ctx", "caller", "board_key", "user_id"),
    "board_invitations": use(invitations.board_invitations, "ctx", "caller", "board_key", "origin"),
    "invite_to_board": use(invitations.invite_to_board, "ctx", "caller", "board_key", "body"),
    "revoke_board_invitation": use(invitations.revoke_invitation, "ctx", "caller", "board_key", "invitation_key"),
    "create_board_link": use(invitations.create_link, "ctx", "caller", "board_key", "body", "origin"),
    "revoke_board_link": use(invitations.revoke_link, "ctx", "caller", "board_key", "link_key"),
    "received_invitations": use(invitations.received_invitations, "ctx", "caller", "query"),
    "accept_invitation": use(invitations.accept_invitation, "ctx", "caller", "body"),
    "decline_invitation": use(invitations.decline_invitation, "ctx", "caller", "body", answer=DeclineAnswer()),
    "board_activity": use(boards.board_activity, "ctx", "caller", "board_key"),
    "board_contributors": use(items.board_contributors, "ctx", "caller", "board_key", "query"),
    "board_comments": use(boards.board_comments, "ctx", "caller", "board_key", "query"),
    "add_board_comment": use(boards.add_comment, "ctx", "caller", "board_key", "body"),
    "edit_board_comment": use(boards.edit_comment, "ctx", "caller", "board_key", "comment_key", "body"),
    "remove_board_comment": use(boards.remove_comment, "ctx", "caller", "board_key", "comment_key"),
}

_CONTACTS: Final = {
    "contacts": use(contacts.contacts_page, "ctx", "caller", "query", "headers"),
    "contact_emails": use(contacts.contact_emails, "ctx", "caller", "headers"),
    "add_contact": use(contacts.add_contact, "ctx", "caller", "body"),
    "edit_contact": use(contacts.edit_contact, "ctx", "caller", "contact_key", "body"),
    "remove_contacts": use(contacts.remove_contacts, "ctx", "caller", "body"),
    "import_contacts": use(contacts.import_contacts, "ctx", "caller", "body", kind=_IMPORT),
    "export_contacts": use(contacts.export_contacts, "ctx", "caller", "query", kind=_IMPORT),
}

_OTHER_CLIENTS: Final = {
    "short_default_view": _FILES["default_view"],
    "category": use(other_clients.category_listing, "ctx", "caller", "query", "origin", "path"),
    "object_info": use(other_clients.object_info, "ctx", "caller", "object_key", "origin"),
    "keyword": use(other_clients.keyword_search, "ctx", "caller", "query", "origin", "path"),
    "flat_batch": use(other_clients.apply_flat_batch, "ctx", "caller", "body", "origin"),
    "trash_objects": use(other_clients.trash_objects, "ctx", "caller", "body", "origin"),
    "board_addition": use(other_clients.add_to_board, "ctx", "caller", "board_key", "body", "origin"),
    "refresh_token": use(sessions.refresh, "ctx", "body"),
    "refresh_token_by_put": use(sessions.refresh, "ctx", "body"),
    "short_download": downloads.HANDLERS["download"],
    "metadata_download": downloads.HANDLERS["download"],
}

HANDLERS: Final[dict[str, Handler]] = {
    **_ACCOUNT,
    **account.HANDLERS,
    **operators.HANDLERS,
    **_FILES,
    **downloads.HANDLERS,
    **uploads.HANDLERS,
    **_SHARES,
    **_BOARDS,
    **_CONTACTS,
    **_OTHER_CLIENTS,
}
"""The handlers by the endpoint's name; `change_stream` is added by the application, which owns the streams."""

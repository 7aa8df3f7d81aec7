"""What changed, extensions of the interface: the change feed, history and its proofs, alarms, and rewinds."""

from typing import Final

from msgspec.structs import replace

from skyshelf.wire import error_codes as errors
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoint import BINARY, EMPTY, EVENTS, Access, Group, Host, Origin
from skyshelf.wire.resources import changes, downloads, history, rewind

_METADATA: Final = Group(host=Host.METADATA, path="/x/v1", origin=Origin.COMPLETIONS)
_HISTORY: Final = Group(host=Host.METADATA, path="/x/v1/history", origin=Origin.COMPLETIONS)
_BY_LINK: Final = Group(
    host=Host.DOWNLOAD,
    path="/download/history",
    origin=Origin.COMPLETIONS,
    access=Access.SESSION_OR_NONCE,
    required_headers=(),
)
_ALARMS: Final = Group(host=Host.METADATA, path="/x/v1/alarms", origin=Origin.COMPLETIONS)
_REWIND: Final = Group(host=Host.METADATA, path="/x/v1/rewind", origin=Origin.COMPLETIONS)
_PROOF: Final = Group(host=Host.METADATA, path="/x/v1/history/proof", origin=Origin.COMPLETIONS)
_PROVEN: Final = replace(_PROOF, errors=(errors.NOT_IN_HISTORY_LOG,))

CHANGES: Final = _METADATA.call(
    "GET /changes",
    "Changes since a cursor, oldest first; without a cursor, only the current one.",
    query=changes.ChangesQuery,
    answer=changes.ChangesPage,
    must_have="cursor",
    errors=(errors.CURSOR_TOO_OLD,),
)
EVERYTHING: Final = _METADATA.call(
    "GET /changes/everything",
    "All objects of the account in pages: the starting point for following changes.",
    query=changes.ChangesQuery,
    answer=changes.Everything,
    must_have="objects",
)
EPOCH: Final = _METADATA.call(
    "GET /epoch",
    "The epoch of the server's data: it changes when they are restored from a backup, moved, or go back.",
    query=changes.EpochQuery,
    answer=changes.ServerEpoch,
    must_have="cursor",
)
OBJECT_CHANGES: Final = _METADATA.call(
    "GET /objects/{object_key}/changes",
    "What happened to one object, newest first: up to 50 of the account's latest 20,000 changes.",
    answer=changes.ObjectChanges,
    must_have="changes",
)
CHANGE_STREAM: Final = _METADATA.call(
    "GET /changes/stream",
    "A live stream of changes as server-sent events, whose ids are cursors; it can also watch a board and invitations.",
    query=changes.ChangeStreamQuery,
    headers=changes.ChangeStreamHeaders,
    answers={200: EVENTS},
    errors=(errors.CURSOR_TOO_OLD, errors.BOARD_NOT_FOUND),
)


# History.

HISTORY: Final = _HISTORY.call(
    "GET",
    "Changes, newest first, with the state before and after, and who made them.",
    query=history.HistoryQuery,
    answer=history.HistoryPage,
    must_have="entries",
    errors=(errors.OBJECT_NOT_FOUND,),
)
PAST_FOLDER: Final = _HISTORY.call(
    "GET /folders/{object_key}",
    "The contents of a folder at a given time.",
    query=history.PastFolderQuery,
    answer=history.PastFolder,
    must_have="objects",
    errors=(errors.OBJECT_NOT_FOUND, errors.FOLDER_EXPECTED, errors.HISTORY_NOT_KEPT),
)
PAST_OBJECT: Final = _HISTORY.call(
    "GET /objects/{object_key}",
    "A file or folder as it was at a given time, and its path.",
    query=history.PastFileQuery,
    answer=history.PastObject,
    must_have="object",
    errors=(errors.HISTORY_NOT_KEPT,),
)
HISTORY_DIFFERENCES: Final = _HISTORY.call(
    "GET /differences",
    "What was added, removed, moved or changed between two times, one entry per file or folder.",
    query=history.DifferencesQuery,
    answer=history.HistoryDifferences,
    must_have="differences",
    errors=(errors.OBJECT_NOT_FOUND, errors.HISTORY_NOT_KEPT),
)
PAST_FILE: Final = _BY_LINK.call(
    "GET /{object_key}",
    "The content that a file had at a given time, whole or in ranges.",
    query=history.PastFileQuery,
    headers=downloads.DownloadHeaders,
    answers={200: BINARY, 206: BINARY, 304: EMPTY},
    errors=(
        errors.FILE_EXPECTED,
        errors.HISTORY_NOT_KEPT,
        errors.VERSION_NOT_FOUND,
        errors.RANGE_NOT_SATISFIABLE,
        errors.CONTENT_DAMAGED,
    ),
    head=True,
)
HISTORY_SETTINGS: Final = _HISTORY.call(
    "GET /settings",
    "How long history is kept, how far it goes back, and how much space it takes.",
    answer=history.HistorySettings,
    must_have="days",
)
SET_HISTORY: Final = _HISTORY.call(
    "PUT /settings",
    "Sets how long history is kept, up to the operator's limit; fewer days need confirmation.",
    body=history.HistoryChoice,
    answer=history.HistorySettings,
    must_have="days",
    errors=(*errors.OF_CONFIRMATIONS, errors.CONFIRMATION_NEEDED),
    repeats_safely=False,
    while_full=True,
)
FORGET_HISTORY: Final = _HISTORY.call(
    "POST /forget",
    "Forgets all history up to now; needs the credentials of a login, because deleted files can no longer be restored.",
    body=history.ForgetRequest,
    answer=history.HistorySettings,
    must_have="days",
    errors=(*errors.OF_CONFIRMATIONS, errors.CONFIRMATION_NEEDED),
    while_full=True,
)
OPERATOR_CONSENT: Final = _HISTORY.call(
    "GET /operator-consent",
    "Whether an operator may rewind the account, once, and until when.",
    answer=rewind.OperatorConsent,
    must_have="isGiven",
)
SET_OPERATOR_CONSENT: Final = _HISTORY.call(
    "PUT /operator-consent",
    "Lets an operator rewind the account, once, for a limited time, or withdraws that.",
    body=rewind.OperatorConsentRequest,
    answer=rewind.OperatorConsent,
    must_have="isGiven",
    while_full=True,
)


# Alarms.

ALARMS: Final = _ALARMS.call(
    "GET",
    "Devices that made unusually many changes in a short time, and what was decided about them.",
    answer=history.AlarmList,
    must_have="alarms",
)
ALLOW_DEVICE: Final = _ALARMS.call(
    "POST /{device_key}/allow",
    "Lets a paused device continue. A device that is paused itself needs the credentials of a login for this.",
    body=history.AllowRequest,
    answer=history.AlarmList,
    must_have="alarms",
    errors=(*errors.OF_CONFIRMATIONS, errors.CONFIRMATION_NEEDED),
    while_paused=True,
    while_full=True,
)
END_PAUSED_SESSION: Final = _ALARMS.call(
    "POST /{device_key}/end",
    "Logs out a paused device; if it is an app, its password is revoked.",
    answer=history.AlarmList,
    must_have="alarms",
    while_paused=True,
    while_full=True,
)
ALARM_SETTINGS: Final = _ALARMS.call(
    "GET /settings", "The limit at which a device is paused.", answer=history.AlarmSettings, must_have="limit isOwn"
)
SET_ALARM_LIMIT: Final = _ALARMS.call(
    "PUT /settings",
    "Chooses the limit at which a device is paused, or turns the alarm off.",
    body=history.AlarmChoice,
    answer=history.AlarmSettings,
    must_have="limit isOwn",
    errors=(*errors.OF_CONFIRMATIONS, errors.CONFIRMATION_NEEDED),
    lowering_while_full=True,
    while_paused=True,
    repeats_safely=False,
)


# Rewinds.

_OF_TARGETS: Final = (errors.OBJECT_NOT_FOUND, errors.FOLDER_EXPECTED, errors.HISTORY_NOT_KEPT)
PLAN_REWIND: Final = _REWIND.call(
    "POST /plan",
    "The plan of a rewind, in pages. Nothing changes.",
    body=rewind.RewindPlanRequest,
    answer=rewind.RewindPlan,
    must_have="items",
    errors=_OF_TARGETS,
    repeats_safely=True,
    while_paused=True,
    while_full=True,
)
START_REWIND: Final = _REWIND.call(
    "POST",
    "Starts a rewind. It runs in the background and survives restarts of the server.",
    body=rewind.RewindRequest,
    answer=rewind.Rewind,
    must_have="rewindKey",
    errors=(errors.SESSION_PAUSED, *_OF_TARGETS, errors.REWIND_RUNNING),
    while_paused=True,
)
REWINDS: Final = _REWIND.call(
    "GET", "The account's latest rewinds, the newest first.", answer=rewind.Rewinds, must_have="rewinds"
)
REWIND: Final = _REWIND.call(
    "GET /{rewind_key}", "A rewind and its progress.", answer=rewind.Rewind, must_have="rewindKey"
)
REWIND_PROBLEMS: Final = _REWIND.call(
    "GET /{rewind_key}/problems",
    "What a rewind could not undo, and why.",
    query=CursorQuery,
    answer=rewind.RewindProblems,
    must_have="items",
    errors=(errors.REWIND_NOT_FOUND,),
)
CANCEL_REWIND: Final = _REWIND.call(
    "POST /{rewind_key}/cancel",
    "Stops a rewind; what it has done stays and can be undone. Does nothing if it has ended.",
    answer=rewind.Rewind,
    must_have="rewindKey",
    repeats_safely=True,
    while_full=True,
)
UNDO_REWIND: Final = _REWIND.call(
    "POST /{rewind_key}/undo",
    "Undoes everything that a rewind has done, by another rewind. Later changes stay.",
    answer=rewind.Rewind,
    must_have="rewindKey",
    errors=(errors.REWIND_RUNNING, errors.HISTORY_NOT_KEPT),
)


# Proofs of history.

HISTORY_HEAD: Final = _PROOF.call(
    "GET /head", "The signed head of the log of all changes.", answer=history.HistoryHead, must_have="size"
)
HISTORY_CONSISTENCY: Final = _PROVEN.call(
    "GET /consistency",
    "The proof that the log continues an earlier one.",
    query=history.ConsistencyQuery,
    answer=history.ProofHashes,
    must_have="hashes",
)
HISTORY_INCLUSION: Final = _PROVEN.call(
    "GET /inclusion",
    "The proof that the log has a change.",
    query=history.InclusionQuery,
    answer=history.ProofHashes,
    must_have="hashes",
)
HISTORY_LEAVES: Final = _PROVEN.call(
    "GET /leaves",
    "Leaves of the log: the hashes of changes, and their records while they are kept.",
    query=history.LeavesQuery,
    answer=history.HistoryLeaves,
    must_have="leaves",
)
HISTORY_KEYS: Final = _PROOF.call(
    "GET /keys",
    "The public keys that sign heads, former ones too, and when the server was restored from a backup.",
    answer=history.KeysOfHistory,
    must_have="keys",
)

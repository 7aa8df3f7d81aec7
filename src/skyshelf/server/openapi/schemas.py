"""JSON schemas of the models, as OpenAPI refers to them."""

from collections.abc import Iterable, Iterator
from inspect import cleandoc
from types import UnionType
from typing import Any, Final, get_args

import msgspec

from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.models import AnswerModel

Json = dict[str, Any]

_REFERENCE: Final = "#/components/schemas/{name}"

# Fields that clients of other services show; single look-ups have them, listings do not.
_DISPLAY: Final = {*("iconName", "tileName", "gridDate", "cMonthNo", "cYear", "recipientsObjRights", "isShareAlbum")}
_OBJECT: Final = {
    *("parentObjectKey", "parentObjectType"),  # the root has none
    *("hash", "url", "imageTranscodeUrl"),  # not every kind has them
    "isExecutable",  # only if it is
    *_DISPLAY,
}

_OF_PAGES: Final = {"nextCursor", "nextLink"}  # the last page has none

_NUMBERS: Final = {"reads", "readBytes", "writes", "writtenBytes", "deletions"}
"""The numbers that a delegation may limit."""

SOMETIMES: Final = {
    # A new object has no earlier state, a deleted one no later state; the service itself has no device.
    "HistoryEntry": {
        *("objectKey", "isFolder", "before", "after", "deviceKey", "deviceName", "sessionId", "shareKey", "rewindKey")
    },
    "HistoryDifference": {
        *("before", "beforePath", "after", "afterPath"),
        *("deviceKey", "deviceName", "sessionId", "shareKey", "rewindKey"),
    },
    "Rewind": {"folderKey", "deviceKey", "sessionId", "undoOf", "missingInBytes"},
    "RewindItem": {"isFolder", "path", "actions", "current", "target", "problem", "sizeInBytes"},
    "HistoryHead": {"note", "start", "forgottenDate"},  # the log may not have begun, and nothing be forgotten
    "HistoryLeaf": {"date", "record"},
    "KeyOfHistory": {"retiredDate", "signature"},
    "RestoreOfServer": {"stateDate"},
    # Without a cursor; in the first epoch; and a store that was never served has no epoch yet.
    "ServerEpoch": {"epoch", "isCursorKnown", "reason", "date", "stateDate"},
    "ChangesPage": {"epoch"},
    "Everything": {"epoch"},
    "HistoryPage": {"oldestDate"},
    # A removed device has no name, and nobody may have decided yet.
    "Alarm": {"deviceName", "decidedDate"},
    "HistorySettings": {"oldestDate"},
    "PastState": {"isExecutable", "parentObjectKey", "version", "sizeInBytes", "hash"},
    # Not every event has them.
    "AccountEvent": {"address", "deviceKey", "deviceName", "objectKey", "shareKey", "subject"},
    "Board": {"coverObjectKey"},
    "BoardComment": {"objectKey", "editedDate"},
    "BoardContributor": {"guestName"},
    "BoardEvent": {"filesCount", "guestName"},
    "BoardObject": {
        "isExecutable",
        # Other members' files show only what the board needs.
        *("parentObjectKey", "parentObjectType", "sourceFolder", "sourceName", "createdDate", "lastUpdatedDate"),
        *("isHidden", "isLocked", "isReadonly", "isFavorite", "version", "latestVersion"),
        *("hash", "url", "imageTranscodeUrl"),
        *_DISPLAY,
    },
    "Change": {"objectKey"},  # emptying the trash concerns no single object
    "CloudObject": _OBJECT,
    "Contact": {"firstName", "lastName", "emails", "phones"},
    "ContactList": {"contacts"},
    "ContactMailbox": {"type"},
    "ContactPhone": {"type"},
    # What is not limited is absent.
    "Delegation": {*_NUMBERS, "callsPerMinute", "folderKey", "folderName", "lastUsedDate"},
    "DelegationUse": _NUMBERS,
    "OwnDelegation": {"folderKey"},
    "DocumentText": {"nextStart"},
    "FolderAbove": {"parentObjectKey"},
    "FlatProcessed": {*_OBJECT, "correlationId"},
    "FlatUnprocessed": {"correlationId", "errorMessage", "errorCode"},
    "LoginProvider": {"label"},
    "LoginAnswer": {"authToken", "refreshToken", "expiresIn"},  # browsers with a cookie do not get them
    "OperatorConsent": {"expiresDate"},  # no consent is given
    "OwnIdentity": {"providerName", "emailId"},  # the operator may have removed the provider
    # Not of every account, and not on every server.
    "ManagedAccount": {"lastSeenDate", "deletionDate", "expiresDate", "heldDate"},
    "AppPassword": {"folderKey", "folderName", "lastUsedDate"},  # the whole drive; the folder is gone; never used
    "Passkey": {"lastUsedDate"},  # never used
    "PasskeyChallenge": {"allowCredentials"},  # a login names nobody
    "PasskeyDescriptor": {"transports"},  # not every browser reports them
    "OpenSession": {"sessionEndDate"},  # an app password lasts until it is revoked
    "OwnDevice": {"loginDate", "sessionEndDate"},  # not every device is logged in
    # Not every link has them.
    "OwnShare": {
        *("expiryDate", "maxDownloads", "lastVisitDate", "maxUploads", "maxUploadBytes", "uploads"),
        *("boardKey", "boardName"),
    },
    "ObjectPlace": {"parentObjectKey", "trashedDate"},  # the root has no parent, and not everything is in the trash
    "ProcessedEntry": {"correlationId"},
    "PhotoFact": {"takenDate", "width", "height", "latitude", "longitude"},
    "ScrubProgress": {"endedDate", "previousEndedDate"},
    "BackupHealth": {
        *("size", "seconds", "isEncrypted", "missingContents", "verifiedDate", "rehearsedDate"),
        *("failedStep", "failedDate", "failureReason"),
    },
    "ServerHealth": {"readOnlyReason", "lastBackupDate", "scrub"},
    "SecondFactorStatus": {"hasApp", "onSinceDate", "recoveryCodesLeft"},  # while it is on
    "TaggedAnswer": {"tag"},  # no tag is created if no object exists
    "UnprocessedEntry": {"operation", "correlationId"},
    "UnprocessedObject": {"errorMessage", "errorCode"},
    "UploadOutcome": {"object", "errorCode", "errorMessage"},  # either the object or the error
    "UserProfile": {"deletionDate", "isOperator", "hasPassword"},  # while a deletion is pending, of operators, if false
    # Only the recipient of a mailed link sees it.
    "PasswordLink": {"linkUrl", "expiresDate"},
    # Only with a token; the last two only without.
    "Welcome": {"kind", "emailId", "firstName", "lastName", "expiresDate", "canMailPassword", "providers"},
}
"""Response fields that our server does not always send; all others are guaranteed."""


class Schemas:
    """The schemas of models, and of the models that they refer to."""

    def __init__(self, endpoints: Iterable[Endpoint]) -> None:
        models = [one for endpoint in endpoints for model in _models(endpoint) for one in _alternatives(model)]
        _, found = msgspec.json.schema_components(models, schema_hook=_anything, ref_template=_REFERENCE)
        answers = {model.__name__ for model in _subclasses(AnswerModel)}
        self.components: Json = {
            name: _in_lines(_promised(name, schema) if name in answers else schema)
            for name, schema in sorted(found.items())
        }

    def of(self, model: object) -> Json:
        found, _ = msgspec.json.schema_components(_alternatives(model), schema_hook=_anything, ref_template=_REFERENCE)
        return found[0] if len(found) == 1 else {"anyOf": list(found)}


def _subclasses(model: type[Any]) -> Iterator[type[Any]]:
    for one in model.__subclasses__():
        yield one
        yield from _subclasses(one)


def _promised(name: str, schema: Json) -> Json:
    """Return the schema of our responses: the models accept null and absence only for the sake of other servers."""
    properties = {
        field: {key: value for key, value in without_null(one).items() if key != "default"}
        for field, one in schema["properties"].items()
    }
    required = [field for field in properties if field not in SOMETIMES.get(name, set()) | _OF_PAGES]
    return {**schema, "properties": properties, "required": required}


def _in_lines(schema: Json) -> Json:
    """Return the schema with its model's docstring, without indentation."""
    return {**schema, "description": cleandoc(schema["description"])} if "description" in schema else schema


def _anything(_: type) -> Json:
    """Return the schema of `object`, the only type without one in msgspec; an empty schema counts as none."""
    return {"description": "anything"}


def _alternatives(model: object) -> tuple[object, ...]:
    """Return the structs of a union one by one: msgspec only supports unions of tagged structs."""
    is_of_structs = isinstance(model, UnionType) and all(hasattr(one, "__struct_fields__") for one in get_args(model))
    return get_args(model) if is_of_structs else (model,)


def _models(endpoint: Endpoint) -> Iterator[object]:
    if endpoint.body is not None:
        yield endpoint.body
    yield from (answer.model for answer in endpoint.answers.values() if answer.model is not None)
    yield from endpoint.error_bodies.values()


def without_null(schema: Json) -> Json:
    """Return the schema without null: a parameter or response field is absent or has a value."""
    options = [option for option in schema.get("anyOf", ()) if option != {"type": "null"}]
    rest = {name: value for name, value in schema.items() if name != "anyOf"}
    if not options:
        return rest
    return {**rest, **(options[0] if len(options) == 1 else {"anyOf": options})}

"""The resource tables of the interface, written out once more: a renamed field must fail here."""

from types import UnionType
from typing import Any, Union, get_args, get_origin

import pytest
from msgspec import Struct
from msgspec.structs import fields

from skyshelf.wire.error_codes import ErrorBody
from skyshelf.wire.resources.account import (
    AppSettings,
    BackupPolicy,
    BannerCard,
    BannerList,
    CookieNonce,
    Device,
    Promotion,
    Promotions,
    Quota,
    UserProfile,
)
from skyshelf.wire.resources.batch import (
    BatchAnswer,
    ProcessedEntry,
    RestoreAnswer,
    UnprocessedEntry,
    UnprocessedObject,
)
from skyshelf.wire.resources.boards import Board, BoardDetails, BoardList, BoardMember, BoardMembers, BoardObject
from skyshelf.wire.resources.contacts import (
    Contact,
    ContactEmail,
    ContactEmailList,
    ContactList,
    ContactMailbox,
    ContactPhone,
)
from skyshelf.wire.resources.credentials import LoginAnswer
from skyshelf.wire.resources.feeds import (
    ManualTag,
    ObjectFeed,
    RecentObjects,
    Spotlight,
    Spotlights,
    SupportedDocuments,
    SupportedExtensions,
)
from skyshelf.wire.resources.objects import CloudObject, FileVersion, FileVersions, ObjectListing, VersionAuthor
from skyshelf.wire.resources.shares import ShareLink
from skyshelf.wire.resources.uploads import OffsetConflict, UploadProgress

TABLES: dict[type[Struct], dict[str, object]] = {
    UserProfile: {
        "userId": str,
        "authProviderId": int,
        "emailId": str,
        "firstName": str,
        "lastName": str,
        "status": str,
        "rootFolderKey": str,
        "isMobileNumVerified": bool,
        "isEmailIdVerified": bool,
        "mobileNumber": str,
        "quota": Quota,
        "devices": list[Device],
        "deletionDate": int,  # beyond the interface, and only while the account is about to be deleted
        "isOperator": bool,  # beyond the interface, and only for an operator
        "hasPassword": bool,  # beyond the interface, and only where there is none
    },
    Quota: {
        "allocatedSpace": int,
        "usedSpace": int,
        "totalAllocatedQuota": int,
        "totalUsedQuota": int,
        "documentUsage": int,
        "photoUsage": int,
        "videoUsage": int,
        "audioUsage": int,
        "paidPlanQuota": int,
        "defaultStorageSpace": int,
        "totalPromotionalQuota": int,
    },
    Device: {"deviceName": str, "deviceKey": str, "deviceType": str, "platformType": str},
    CloudObject: {
        "objectKey": str,
        "parentObjectKey": str,
        "objectName": str,
        "objectType": str,
        "sizeInBytes": int,
        "mimeType": str,
        "mimeSubType": str,
        "sourceFolder": str,
        "hash": str,
        "fileCreatedDate": int,
        "lastModifiedDate": int,
        "status": str,
        "isHidden": bool,
        "isLocked": bool,
        "isReadonly": bool,
        "isFavorite": bool,
        "isExecutable": bool,  # beyond the interface, and only for a program
        "url": str,
        "imageTranscodeUrl": str,
        "version": int,
        "sourceName": str,
        # without a contract, or of our completions
        "displayName": object,
        "iconName": object,
        "tileName": object,
        "gridDate": object,
        "cMonthNo": object,
        "cYear": object,
        "latestVersion": object,
        "recipientsObjRights": object,
        "isShareAlbum": object,
        "createdDate": int,
        "lastUpdatedDate": int,
        "parentObjectType": str,
    },
    ObjectListing: {
        "allocatedSpace": int,
        "usedSpace": int,
        "isUploadAllowed": bool,
        "objects": list[CloudObject],
        "nextLink": str,
    },
    BatchAnswer: {
        "objects": list[ProcessedEntry],
        "unprocessed": list[UnprocessedEntry],
        "usedSpace": int,
        "isUploadAllowed": bool,
    },
    ProcessedEntry: {"operation": str, "correlationId": str, "object": CloudObject},
    UnprocessedEntry: {"operation": str, "correlationId": str, "object": UnprocessedObject},
    UnprocessedObject: {"objectKey": str, "errorMessage": str, "errorCode": str},
    RestoreAnswer: {
        "objects": list[CloudObject],
        "unprocessed": list[UnprocessedEntry],
        "usedSpace": int,
        "isUploadAllowed": bool,
    },
    ShareLink: {"shareURL": str},
    FileVersions: {"totalVersions": int, "objVersions": list[FileVersion]},
    FileVersion: {
        "version": int,
        "displayVersion": str,
        "createdDate": int,
        "isCurrentVersion": bool,
        "versionCreatedBy": VersionAuthor,
        "sizeInBytes": int,
        "hash": str,
        "lastUpdatedDate": int,
        "lastUpdatedBy": VersionAuthor | str,
    },
    VersionAuthor: {"firstName": str},
    Board: {
        "boardKey": str,
        "boardName": str,
        "boardDescription": str,
        "boardType": str,
        "status": str,
        "ownerUserId": str,
        "filesCount": int,
        "imageCount": int,
        "videoCount": int,
        "audioCount": int,
        "commentsCount": int,
        "usersCount": int,
        "sizeInBytes": int,
        "createdDate": int,
        "lastModifiedDate": int,
        "coverObjectKey": str,
        "memberType": str,
    },
    BoardList: {"boards": list[Board]},
    BoardDetails: {"board": Board, "objects": list[BoardObject]},
    BoardMembers: {"boardMembers": list[BoardMember]},
    BoardMember: {
        "userId": str,
        "firstName": str,
        "memberType": str,
        "memberStatus": str,
        "memCreatedDate": int,
    },
    Promotions: {"activePromotions": list[Promotion], "expiredPromotions": list[Promotion]},
    Promotion: {"promotionId": str, "name": str, "quota": int, "startDate": int, "endDate": int},
    AppSettings: {
        "maxFileSize": int,
        "chunkSize": int,
        "backup": BackupPolicy,
        "trashRetentionDays": int,
        "versionsKept": int,
    },
    BackupPolicy: {
        "photos": bool,
        "videos": bool,
        "audio": bool,
        "documents": bool,
        "contacts": bool,
        "overWifiOnly": bool,
    },
    CookieNonce: {"nonce": str},
    LoginAnswer: {
        "userId": str,
        "deviceKey": str,
        "rootFolderKey": str,
        "authToken": str,
        "jwt": str,
        "refreshToken": str,
        "expiresIn": int,
    },
    RecentObjects: {"objectsImgs": list[CloudObject], "objectsDocs": list[CloudObject]},
    Spotlights: {"spotLights": list[Spotlight]},
    Spotlight: {"spotLightId": str, "title": str, "date": int, "objects": list[CloudObject]},
    ObjectFeed: {"objects": list[CloudObject]},
    ManualTag: {"tagId": str, "tagName": str, "createdDate": int},
    SupportedDocuments: {"supportedExtensions": SupportedExtensions},
    SupportedExtensions: {"view": list[str], "edit": list[str], "favIconUrls": dict[str, str]},
    ContactList: {"contacts": list[Contact]},
    ContactEmailList: {"contactEmail": list[ContactEmail]},
    ContactEmail: {"emailId": str, "displayName": str},
    Contact: {
        "contactId": str,
        "displayName": str,
        "firstName": str,
        "lastName": str,
        "emails": list[ContactMailbox],
        "phones": list[ContactPhone],
        "isActive": bool,
        "lastUpdatedDate": int,
    },
    ContactMailbox: {"emailId": str, "type": str},
    ContactPhone: {"number": str, "type": str},
    BannerList: {"cards": list[BannerCard]},
    BannerCard: {
        "cardId": str,
        "title": str,
        "text": str,
        "imageUrl": str,
        "actionUrl": str,
        "startDate": int,
        "endDate": int,
    },
    UploadProgress: {"transactionId": str, "offset": int},
    OffsetConflict: {"code": str, "message": str, "error": str, "transactionId": str, "offset": int},
    ErrorBody: {"code": str, "message": str, "error": str},
}


def _without_none(annotation: Any) -> frozenset[object]:
    if get_origin(annotation) in {Union, UnionType}:
        return frozenset(get_args(annotation)) - {type(None)}
    return frozenset({annotation})


@pytest.mark.parametrize("model", TABLES, ids=lambda model: model.__name__)
def test_a_model_has_exactly_the_fields_and_types_of_its_table(model: type[Struct]) -> None:
    assert {field.encode_name: _without_none(field.type) for field in fields(model)} == {
        name: _without_none(kind) for name, kind in TABLES[model].items()
    }

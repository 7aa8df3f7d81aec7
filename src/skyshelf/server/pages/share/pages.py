"""The pages of a share."""

import msgspec
from starlette.responses import Response

from skyshelf.server.pages.links import Links
from skyshelf.server.pages.rendering import page
from skyshelf.service.archives.archive import title_of
from skyshelf.service.files.thumbnails import can_have_thumbnail
from skyshelf.service.files.viewable_types import SAFE_INLINE, view_kind
from skyshelf.service.sharing.visitor import FileView, FolderView
from skyshelf.storage.metadata.contracts.shares import Share
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire import error_codes as codes

TILE_PIXELS = 512
PREVIEW_PIXELS = 1080


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """A file or folder as a template shows it."""

    name: str
    kind: str
    """The icon: folder, image, video, audio, pdf, text, archive or file."""
    size: int
    modified_at: int
    url: str
    save_url: str
    thumbnail_url: str | None

    @property
    def is_folder(self) -> bool:
        return self.kind == "folder"

    @property
    def is_tile(self) -> bool:
        """Whether it is shown as a tile: pictures and videos are, the rest is a list."""
        return self.kind in {"image", "video"} and self.thumbnail_url is not None


def folder_page(share: Share, view: FolderView, links: Links) -> Response:
    items = [_item(stored, links) for stored in view.entries]
    folder_key = view.folder.object_key if view.folder else None
    return page(
        "folder.html",
        title=title_of(view.folder) if view.folder else view.board.name if view.board else _name_of(share),
        share=share,
        trail=_trail(view.trail, share, links) if view.folder else [],
        folders=[item for item in items if item.is_folder],
        tiles=[item for item in items if item.is_tile],
        files=[item for item in items if not item.is_folder and not item.is_tile],
        count=len(items),
        archive_url=links.archive(folder_key),
        next_url=links.page(folder_key, after=view.next_after) if view.next_after else None,
    )


def file_page(share: Share, view: FileView, links: Links) -> Response:
    item = _item(view.file, links)
    key = view.file.object_key
    mime = f"{view.file.mime_type}/{view.file.mime_subtype}"
    # A share with a download limit must not reveal the content in its preview.
    is_viewable = mime in SAFE_INLINE and not share.download_limit
    kind = view.kind
    if kind in {"video", "audio"} and not is_viewable:
        kind = None
    return page(
        "file.html",
        title=view.file.name,
        item=item,
        kind=kind,
        trail=_trail(view.trail, share, links),
        view_url=links.file(key, view=True) if is_viewable else None,
        preview_url=links.thumbnail(key, PREVIEW_PIXELS),
        # A thumbnail would not be animated.
        is_animated=mime == "image/gif" and is_viewable,
        text=None if share.download_limit else view.text,
        is_cut=view.is_cut,
    )


def password_page(links: Links, *, status: int, wrong: bool = False) -> Response:
    return page("password.html", status=status, unlock_url=links.unlock(), wrong=wrong)


_PROBLEMS = {
    400: ("That did not work", "The page cannot use what was sent to it. Go back and try again, or check the address."),
    413: ("Too much was sent", "Go back and try again with less."),
    404: (
        "Nothing here",
        "This link may have been revoked, have expired or have reached its download limit, or the files are no longer"
        " shared. Ask the sender.",
    ),
    429: ("Too many attempts", "Wait a moment, then try again."),
    503: ("Temporarily unavailable", "The server cannot do this right now. Try again in a moment."),
}
_PROBLEMS_BY_CODE = {
    codes.ARCHIVE_TOO_LARGE.code: (
        "Too much for one archive",
        "There are too many files here for one ZIP file. Open the folders and download them separately.",
    ),
}
_FAULT = ("Something went wrong", "This is an error on our side, and it has been logged. Try again later.")


def problem_page(status: int, headers: dict[str, str], code: str | None = None) -> Response:
    """The page of an error; few have their own words, the others those of their status."""
    general = _PROBLEMS.get(status, _FAULT if status >= 500 else ("That did not work", "Check the address."))
    title, text = _PROBLEMS_BY_CODE.get(code or "", general)
    return page("problem.html", status=status, headers=headers, title=title, text=text)


def _item(stored: StoredObject, links: Links) -> Item:
    key = stored.object_key
    has_thumbnail = not stored.is_folder and can_have_thumbnail(stored.mime_type, stored.mime_subtype)
    return Item(
        name=title_of(stored),
        kind=_icon(stored),
        size=stored.size,
        modified_at=stored.last_modified_at,
        url=links.page(key),
        save_url=links.archive(key) if stored.is_folder else links.file(key),
        thumbnail_url=links.thumbnail(key, TILE_PIXELS) if has_thumbnail else None,
    )


def _icon(stored: StoredObject) -> str:
    if stored.is_folder:
        return "folder"
    if stored.mime_type in {"image", "video", "audio"}:
        return stored.mime_type
    is_archive = any(part in stored.mime_subtype for part in ("zip", "tar", "7z", "rar", "compressed", "zstd"))
    return view_kind(f"{stored.mime_type}/{stored.mime_subtype}") or ("archive" if is_archive else "file")


def _name_of(share: Share) -> str:
    return share.name.strip() or "Shared with you"


def _trail(trail: list[StoredObject], share: Share, links: Links) -> list[tuple[str, str]]:
    """Names and URLs of the folders above; a share of several objects has a page above all of them."""
    above = [(title_of(folder), links.page(folder.object_key)) for folder in trail]
    return above if len(share.object_keys) == 1 else [(_name_of(share), links.page()), *above]

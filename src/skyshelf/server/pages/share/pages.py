"""The pages of a share."""

from urllib.parse import urlencode

import msgspec
from starlette.responses import Response

from skyshelf.server.pages.rendering import page, scripted_page, shape_class
from skyshelf.server.pages.words import Words
from skyshelf.service.archives.archive import title_of
from skyshelf.service.files.thumbnails import SAFE_INLINE, can_have_thumbnail, view_kind
from skyshelf.service.sharing.guests import SendView
from skyshelf.service.sharing.visitor import FileView, FolderView
from skyshelf.storage.metadata.contracts.shares import Share
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import GUEST_NAME_CHARS_MAX
from skyshelf.wire.times import is_default_share_name

TILE_PIXELS = 512
PREVIEW_PIXELS = 1080
_UNKNOWN_SHAPE = (4, 3)
_FEW = 100


class Links:
    """Paths below /l/, all of which contain the share's token."""

    def __init__(self, token: str, prefix: str = "") -> None:
        self._token = token
        self.prefix = prefix

    def page(self, object_key: str | None = None, *, after: str | None = None, sent: int | None = None) -> str:
        return self._with("/l/", p=object_key, after=after, sent=None if sent is None else str(sent))

    def send(self) -> str:
        return self._with("/l/send")

    def file(self, object_key: str, *, view: bool = False) -> str:
        """Return the URL of a file's content, to view in the browser or to save."""
        return self._with(f"/l/file/{object_key}", view="1" if view else None)

    def thumbnail(self, object_key: str, size: int) -> str:
        return self._with(f"/l/thumb/{object_key}", size=str(size))

    def archive(self, object_key: str | None = None) -> str:
        return self._with("/l/zip", p=object_key)

    def unlock(self) -> str:
        return self._with("/l/unlock")

    def _with(self, path: str, **parameters: str | None) -> str:
        given = {name: value for name, value in parameters.items() if value is not None}
        return f"{self.prefix}{path}?{urlencode({'u': self._token, **given})}"


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """A file or folder as a template shows it."""

    name: str
    kind: str
    """The icon: folder, image, video, audio, pdf, text, archive or file."""
    size: int
    modified_at: int
    taken: str | None
    """The day on which it was taken."""
    guest: str | None
    """Who sent it through a link."""
    width: int
    height: int
    url: str
    save_url: str
    view_url: str | None
    thumbnail_url: str | None
    preview_url: str

    @property
    def is_folder(self) -> bool:
        return self.kind == "folder"

    @property
    def is_tile(self) -> bool:
        """Whether it is shown as a tile: pictures and videos are, everything else is listed."""
        return self.kind in {"image", "video"} and self.thumbnail_url is not None

    @property
    def shape_class(self) -> str:
        return shape_class(self.width, self.height)

    @property
    def caption(self) -> str:
        return " · ".join(part for part in (self.taken, self.guest) if part) or self.name


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """The preview of a link in messengers; only for a share without a password."""

    title: str
    description: str
    url: str
    image_url: str | None


class Sending(msgspec.Struct, frozen=True, kw_only=True):
    """A form that visitors send files with."""

    url: str
    largest: int
    most: int
    only_media: bool
    name_most: int = GUEST_NAME_CHARS_MAX

    @property
    def few(self) -> bool:
        """Whether so few files can still be sent that the page should say so."""
        return self.most <= _FEW


class Guide(msgspec.Struct, frozen=True, kw_only=True):
    """The data that all pages of one visit share."""

    share: Share
    links: Links
    words: Words
    origin: str
    sent: int = 0
    """How many files have just been sent."""

    @property
    def expires(self) -> str | None:
        """The last day on which the link works."""
        return self.words.day(self.share.expires_at - 1) if self.share.expires_at else None

    def preview(self, title: str, description: str, picture: str | None) -> Preview | None:
        if self.share.password_hash:
            return None
        image = None if picture is None else self._url(self.links.thumbnail(picture, PREVIEW_PIXELS))
        return Preview(title=title, description=description, url=self._url(self.links.page()), image_url=image)

    def _url(self, path: str) -> str:
        """Return the whole URL of a path; both have the prefix."""
        return self.origin + path.removeprefix(self.links.prefix)


def folder_page(guide: Guide, view: FolderView, send: SendView | None) -> Response:
    share, links, w = guide.share, guide.links, guide.words
    items = [_item(stored, guide, view.shapes, view.guests) for stored in view.entries]
    folder_key = view.folder.object_key if view.folder else None
    tiles = [item for item in items if item.is_tile]
    pictures = [one.object_key for one in view.entries if can_have_thumbnail(one.mime_type, one.mime_subtype)]
    cover = (view.board.cover_key if view.board else None) or next(iter(pictures), None)
    title = title_of(view.folder) if view.folder else view.board.name if view.board else _name_of(share, w)
    counted = _counted(view, w)
    return (scripted_page if tiles or send else page)(
        "folder.html",
        prefix=links.prefix,
        w=w,
        title=title,
        description=view.board.description if view.board else "",
        sharer=view.sharer,
        counted=counted,
        expires=guide.expires,
        is_album=view.board is not None,
        hero_url=links.thumbnail(cover, PREVIEW_PIXELS) if cover and view.board else None,
        preview=guide.preview(title, f"{w('Shared by {name}', name=view.sharer)} · {counted}", cover),
        trail=_trail(view.trail, guide) if view.folder else [],
        folders=[item for item in items if item.is_folder],
        tiles=tiles,
        files=[item for item in items if not item.is_folder and not item.is_tile],
        count=len(items),
        archive_url=links.archive(folder_key),
        next_url=links.page(folder_key, after=view.next_after) if view.next_after else None,
        send=_sending(guide, send) if send else None,
        sent=guide.sent,
    )


def _counted(view: FolderView, w: Words) -> str:
    if view.board is not None:
        board = view.board
        return w.photos(board.files) if board.files == board.images + board.videos else w.items(board.files)
    count = len(view.entries)
    return f"{w.items(count)}+" if view.next_after else w.items(count)


def file_page(guide: Guide, view: FileView) -> Response:
    share, links, w = guide.share, guide.links, guide.words
    item = _item(view.file, guide, {}, {view.file.object_key: view.guest} if view.guest else {})
    key = view.file.object_key
    mime = f"{view.file.mime_type}/{view.file.mime_subtype}"
    # A share with a download limit must not reveal the content in its preview.
    is_viewable = item.view_url is not None
    kind = view.kind
    if kind in {"video", "audio"} and not is_viewable:
        kind = None
    described = f"{w('Shared by {name}', name=view.sharer)} · {w.size(item.size)}"
    return page(
        "file.html",
        prefix=links.prefix,
        w=w,
        title=view.file.name,
        sharer=view.sharer,
        expires=guide.expires,
        preview=guide.preview(view.file.name, described, key if item.thumbnail_url else None),
        item=item,
        kind=kind,
        trail=_trail(view.trail, guide),
        before_url=links.page(view.before) if view.before else None,
        after_url=links.page(view.after) if view.after else None,
        view_url=item.view_url,
        preview_url=item.preview_url,
        # A thumbnail would not be animated.
        is_animated=mime == "image/gif" and is_viewable,
        text=None if share.download_limit else view.text,
        is_cut=view.is_cut,
    )


def send_page(guide: Guide, view: SendView) -> Response:
    """Return the page of a link for sending files into a folder that the visitor does not see."""
    w = guide.words
    name = guide.share.name.strip()
    title = w("Files for {name}", name=view.sharer) if not name or is_default_share_name(name) else name
    return scripted_page(
        "send.html",
        prefix=guide.links.prefix,
        w=w,
        title=title,
        sharer=view.sharer,
        expires=guide.expires,
        preview=guide.preview(title, w("{name} asks you for files", name=view.sharer), None),
        send=_sending(guide, view),
        sent=guide.sent,
        more_url=guide.links.page(),
    )


def _sending(guide: Guide, view: SendView) -> Sending:
    return Sending(
        url=guide.links.send(), largest=view.largest, most=view.most, only_media=guide.share.board_key is not None
    )


def password_page(links: Links, w: Words, *, status: int, wrong: bool = False) -> Response:
    return page("password.html", prefix=links.prefix, status=status, w=w, unlock_url=links.unlock(), wrong=wrong)


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
    codes.STORAGE_FULL.code: ("No more files", "There is no more space here. Ask the sender of the link."),
    codes.DISK_FULL.code: (
        "The disk is full",
        "The server has no space left: nothing can be sent now. Try again later, or ask the sender of the link.",
    ),
    codes.FORBIDDEN.code: ("No more files", "This link takes no more files. Ask the sender for another one."),
    codes.WRONG_CONTENT_TYPE.code: ("That did not work", "Only photos and videos can be added to this album."),
    codes.ARCHIVE_TOO_LARGE.code: (
        "Too much for one archive",
        "There are too many files here for one ZIP file. Open the folders and download them separately.",
    ),
}
_FAULT = ("Something went wrong", "This is an error on our side, and it has been logged. Try again later.")


def problem_page(
    links: Links, w: Words, status: int, headers: dict[str, str], code: str | None = None, *, has_way_back: bool = False
) -> Response:
    """Return the page of an error; a few errors have their own text, the others that of their status."""
    general = _PROBLEMS.get(status, _FAULT if status >= 500 else ("That did not work", "Check the address."))
    title, text = _PROBLEMS_BY_CODE.get(code or "", general)
    return page(
        "problem.html",
        prefix=links.prefix,
        status=status,
        headers=headers,
        w=w,
        title=w(title),
        text=w(text),
        back_url=links.page() if has_way_back else None,
    )


def _item(stored: StoredObject, guide: Guide, shapes: dict[str, tuple[int, int]], guests: dict[str, str]) -> Item:
    key, links = stored.object_key, guide.links
    has_thumbnail = not stored.is_folder and can_have_thumbnail(stored.mime_type, stored.mime_subtype)
    is_viewable = f"{stored.mime_type}/{stored.mime_subtype}" in SAFE_INLINE and not guide.share.download_limit
    width, height = shapes.get(key, _UNKNOWN_SHAPE)
    return Item(
        name=title_of(stored),
        kind=_icon(stored),
        size=stored.size,
        modified_at=stored.last_modified_at,
        taken=guide.words.taken(stored),
        guest=guests.get(key),
        width=width,
        height=height,
        url=links.page(key),
        save_url=links.archive(key) if stored.is_folder else links.file(key),
        view_url=links.file(key, view=True) if is_viewable and not stored.is_folder else None,
        thumbnail_url=links.thumbnail(key, TILE_PIXELS) if has_thumbnail else None,
        preview_url=links.thumbnail(key, PREVIEW_PIXELS),
    )


def _icon(stored: StoredObject) -> str:
    if stored.is_folder:
        return "folder"
    if stored.mime_type in {"image", "video", "audio"}:
        return stored.mime_type
    is_archive = any(part in stored.mime_subtype for part in ("zip", "tar", "7z", "rar", "compressed", "zstd"))
    return view_kind(f"{stored.mime_type}/{stored.mime_subtype}") or ("archive" if is_archive else "file")


def _name_of(share: Share, w: Words) -> str:
    # A link that its owner did not name is named after its creation time, which means nothing to visitors.
    name = share.name.strip()
    return w("Shared with you") if not name or is_default_share_name(name) else name


def _trail(trail: list[StoredObject], guide: Guide) -> list[tuple[str, str]]:
    """Return names and URLs of the parent folders, with the top page of a board or of several objects."""
    share, links = guide.share, guide.links
    above = [(title_of(folder), links.page(folder.object_key)) for folder in trail]
    if len(share.object_keys) == 1:
        return above
    return [(share.board_name or _name_of(share, guide.words), links.page()), *above]

"""Arguments that name items on the server: a path, `key:…`, or a glob, as a shell would expand it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from skyshelf.cli.base.errors import Conflict, NotFound, UsageProblem
from skyshelf.cli.base.output import Item
from skyshelf.cli.base.text import visible
from skyshelf.client.errors import ObjectNotFoundError
from skyshelf.client.objects.lookup import split_path
from skyshelf.client.objects.remote_object import SEPARATOR, FoundObject, RemoteObject
from skyshelf.wire.keys import is_key

if TYPE_CHECKING:
    from skyshelf.client.sync_client import Client, Past

KEY: Final = "key:"
_MAGIC: Final = frozenset("*?[")


def target(text: str) -> str:
    """The argument as the client takes it: a key, or a path with a leading slash."""
    if text.startswith(KEY):
        key = text.removeprefix(KEY)
        if not is_key(key):
            raise UsageProblem(f"{text} is not a key: keys have 32 hexadecimal digits; `skyshelf stat` shows them")
        return key
    return SEPARATOR + SEPARATOR.join(split_path(text))


def split_target(text: str) -> tuple[str, str]:
    """A path's parent folder, and its last name."""
    parts = split_path(text)
    if text.startswith(KEY) or not parts:
        raise UsageProblem(f"{text} is not a path inside a folder: use a path such as /Photos/2024")
    return SEPARATOR + SEPARATOR.join(parts[:-1]), parts[-1]


def locate(client: "Client | Past", text: str) -> FoundObject:
    """The object that an argument names; no globs."""
    found = client.get(target(text))
    return FoundObject(() if text.startswith(KEY) else split_path(text), found, found.parent_key or "")


def find(client: "Client", text: str) -> RemoteObject | None:
    """The object at a path, or None; one that is named by its key has to exist."""
    return client.get(target(text)) if text.startswith(KEY) else client.find(target(text))


def below(start: FoundObject, found: FoundObject) -> FoundObject:
    """An object found below another one, with its full path; without a path if the other was named by key."""
    return found._replace(parts=() if known_path(start) is None else (*start.parts, *found.parts))


def known_path(found: FoundObject) -> str | None:
    """An object's path; None if it, or the folder above it, was named by key."""
    return found.path if found.parts or found.object.is_root else None


def display_name(found: FoundObject) -> str:
    """How messages name an object."""
    return known_path(found) or found.object.name or KEY + found.object.key


def locate_all(client: "Client | Past", texts: Iterable[str]) -> list[FoundObject]:
    """All objects that the arguments name, without duplicates; a glob without a match is an error."""
    found: dict[str, FoundObject] = {}
    for text in texts:
        for match in _resolve(client, text):
            found.setdefault(match.object.key, match)
    return list(found.values())


def _resolve(client: "Client | Past", text: str) -> list[FoundObject]:
    if text.startswith(KEY) or not _MAGIC & set(text):
        return [locate(client, text)]
    try:
        # A name may contain these characters.
        return [locate(client, text)]
    except ObjectNotFoundError:
        matches = list(_expand_glob(client, client.get(SEPARATOR), (), split_path(text)))
    if not matches:
        raise NotFound(f"nothing matches {text}: list existing items with `skyshelf ls`")
    return matches


def _expand_glob(
    client: "Client | Past", folder: RemoteObject, above: tuple[str, ...], parts: tuple[str, ...]
) -> Iterator[FoundObject]:
    pattern, *rest = parts
    composed = normalize("NFC", pattern)
    for child in client.list_folder(folder, kind="w" if rest else None):
        hidden = child.name.startswith(".") and not pattern.startswith(".")
        if hidden or not fnmatchcase(normalize("NFC", child.name), composed):
            continue
        path = (*above, child.name)
        if rest:
            yield from _expand_glob(client, child, path, tuple(rest))
        else:
            yield FoundObject(path, child, folder.key)


def only(found: Sequence[Item], missing: str, several: str, key: Callable[[Item], str]) -> Item:
    """The one item that was found; otherwise an error that says what to do, with the keys of several."""
    if not found:
        raise NotFound(missing)
    if len(found) > 1:
        raise Conflict(f"{len(found)} {several}; use a key: {', '.join(map(key, found))}")
    return found[0]


def by_name(found: Sequence[Item], text: str, noun: str, *, listing: str, key: Callable[[Item], str]) -> Item:
    """The one item of those with that name."""
    missing = f"no {noun} named {text!r}: `skyshelf {listing}` lists them"
    return only(found, missing, f"{noun}s are named {text!r}", lambda one: KEY + key(one))


def by_name_or_key(
    known: Sequence[Item],
    text: str,
    noun: str,
    *,
    listing: str,
    name: Callable[[Item], str | None],
    key: Callable[[Item], str],
) -> Item:
    """The one item with that key or, ignoring case, that name."""
    folded = text.casefold()
    found = [one for one in known if key(one).casefold() == folded] or [
        one for one in known if (name(one) or "").casefold() == folded
    ]
    missing = f"no {noun} {visible(text)}: `skyshelf {listing}` lists them"
    return only(found, missing, f"{noun}s have that name", key)

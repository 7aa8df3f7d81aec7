"""How people name objects: by path, by `key:…`, and with globs, as a shell would read them."""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.client.errors import ObjectNotFoundError
from skyshelf.client.objects.lookup import split_path
from skyshelf.client.objects.remote_object import SEPARATOR, FoundObject, RemoteObject
from skyshelf.wire.client_errors import EXIT_USAGE, OBJECT_NOT_FOUND_ERROR
from skyshelf.wire.keys import is_key

if TYPE_CHECKING:
    from skyshelf.client.sync_client import Client

KEY: Final = "key:"
_MAGIC: Final = frozenset("*?[")


def target(text: str) -> str:
    """What the client takes: a key, or a path with a slash in front."""
    if text.startswith(KEY):
        key = text.removeprefix(KEY)
        if not is_key(key):
            raise CommandFailed(
                f"{text} is no key: it has 32 hexadecimal digits, as `skyshelf stat` shows them", EXIT_USAGE
            )
        return key
    return SEPARATOR + SEPARATOR.join(split_path(text))


def split_target(text: str) -> tuple[str, str]:
    """The folder that a path leads to, and the last name of it."""
    parts = split_path(text)
    if text.startswith(KEY) or not parts:
        raise CommandFailed(
            f"{text} does not name something inside a folder: write a path such as /Photos/2024", EXIT_USAGE
        )
    return SEPARATOR + SEPARATOR.join(parts[:-1]), parts[-1]


def locate(client: "Client", text: str) -> FoundObject:
    """The one object that a text names."""
    found = client.get(target(text))
    return FoundObject(() if text.startswith(KEY) else split_path(text), found, found.parent_key or "")


def below(start: FoundObject, found: FoundObject) -> FoundObject:
    """What was found below an object, with its whole path; without one where the object was named by its key."""
    return found._replace(parts=() if known_path(start) is None else (*start.parts, *found.parts))


def known_path(found: FoundObject) -> str | None:
    """An object's path; None for an object that was named by its key, and for what is below one."""
    return found.path if found.parts or found.object.is_root else None


def display_name(found: FoundObject) -> str:
    """How to name an object in a sentence."""
    return known_path(found) or found.object.name or KEY + found.object.key


def locate_all(client: "Client", texts: Iterable[str]) -> list[FoundObject]:
    """All objects that the texts name, each once; a glob that matches nothing is an error, as in a careful shell."""
    found: dict[str, FoundObject] = {}
    for text in texts:
        for each in _matching(client, text):
            found.setdefault(each.object.key, each)
    return list(found.values())


def _matching(client: "Client", text: str) -> list[FoundObject]:
    if text.startswith(KEY) or not _MAGIC & set(text):
        return [locate(client, text)]
    try:
        # A name may hold these characters itself.
        return [locate(client, text)]
    except ObjectNotFoundError:
        matches = list(_expanded(client, client.get(SEPARATOR), (), split_path(text)))
    if not matches:
        raise CommandFailed(
            f"nothing matches {text}: `skyshelf ls` shows what is there", OBJECT_NOT_FOUND_ERROR.exit_code
        )
    return matches


def _expanded(
    client: "Client", folder: RemoteObject, above: tuple[str, ...], parts: tuple[str, ...]
) -> Iterator[FoundObject]:
    pattern, *rest = parts
    composed = normalize("NFC", pattern)
    for each in client.list_folder(folder, kind="w" if rest else None):
        hidden = each.name.startswith(".") and not pattern.startswith(".")
        if hidden or not fnmatchcase(normalize("NFC", each.name), composed):
            continue
        path = (*above, each.name)
        if rest:
            yield from _expanded(client, each, path, tuple(rest))
        else:
            yield FoundObject(path, each, folder.key)

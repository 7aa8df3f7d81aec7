"""XML of requests: parsed without doctypes and entities, and within bounds of size and depth."""

from collections.abc import Collection, Iterable
from typing import Final
from xml.etree.ElementTree import Element, ParseError, XMLParser, tostring
from xml.parsers.expat import ExpatError, ParserCreate

from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import WEBDAV_NAME_BYTES_MAX, WEBDAV_PROPERTIES_MAX

DAV: Final = "DAV:"
_DEPTH_MAX: Final = 40
_PARTS_MAX: Final = 4000
"""Maximum number of elements and attributes of a document."""
_XML: Final = "http://www.w3.org/XML/1998/namespace"


def parse(body: bytes) -> Element:
    """Return the root of a document within bounds; raise ServiceError otherwise. For a worker thread, if it is long."""
    try:
        _check(body)
        parser = XMLParser()  # noqa: S314 - bounded, and without document types
        parser.feed(body)
        return parser.close()
    except (ExpatError, ParseError, ValueError, LookupError) as wrong:
        raise _malformed("The body is not well-formed XML") from wrong


def _check(body: bytes) -> None:
    """Refuse what is out of bounds before namespaces are resolved, which repeats each of them in every name."""
    depth = parts = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth, parts
        depth += 1
        parts += 1 + len(attributes)
        if depth > _DEPTH_MAX or parts > _PARTS_MAX:
            raise _malformed("The XML is nested too deeply, or has too many elements")
        namespaces = [value for name, value in attributes.items() if name.startswith("xmlns")]
        if any(len(one.encode()) > WEBDAV_NAME_BYTES_MAX for one in (tag, *attributes, *namespaces)):
            raise _malformed(f"A name or namespace in XML has at most {WEBDAV_NAME_BYTES_MAX} bytes")

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1

    def refuse_doctype(*_: object) -> None:
        # Without a document type there are no entities and no external resources.
        raise _malformed("A document type is not accepted")

    parser = ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = refuse_doctype
    parser.Parse(body, True)


def name_of(element: Element) -> tuple[str, str]:
    tag = str(element.tag)
    if tag.startswith("{"):
        namespace, _, local = tag[1:].partition("}")
        return namespace, local
    return "", tag


def properties_in(wanted: Iterable[Element]) -> tuple[tuple[str, str], ...]:
    """Return the names of the properties in a `prop` element, or in another that names some."""
    names = dict.fromkeys(map(name_of, wanted))
    refuse_many(names)
    return tuple(names)


def refuse_many(names: Collection[tuple[str, str]]) -> None:
    """Raise ServiceError if a request names more properties than one may."""
    if len(names) > WEBDAV_PROPERTIES_MAX:
        raise _malformed(f"A request names at most {WEBDAV_PROPERTIES_MAX} properties")


def is_dav(element: Element, local: str) -> bool:
    return name_of(element) == (DAV, local)


def dav_child(element: Element, local: str, namespace: str = DAV) -> Element | None:
    return next((child for child in element if name_of(child) == (namespace, local)), None)


def text_of(element: Element, language: str | None = None) -> str:
    """Return an element as self-contained XML; an inherited language is added to it."""
    if language is not None and element.get(f"{{{_XML}}}lang") is None:
        element.set(f"{{{_XML}}}lang", language)
    element.tail = None
    return tostring(element, encoding="unicode")


def inner_text_of(element: Element) -> str:
    inside = "".join(tostring(child, encoding="unicode") for child in element)
    return escape(element.text or "") + inside


def language_of(element: Element) -> str | None:
    return element.get(f"{{{_XML}}}lang")


_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\ufffe": "\ufffd", "\uffff": "\ufffd"})


def escape(text: str) -> str:
    """Escape text for an element. Two characters that are valid in names cannot occur in XML."""
    return text if text.isalnum() else text.translate(_ESCAPES)


def _malformed(sentence: str) -> ServiceError:
    return ServiceError(codes.INVALID_REQUEST, sentence)

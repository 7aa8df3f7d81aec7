"""XML of requests: parsed without doctypes and entities, and within bounds of size and depth."""

from typing import Final
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser, tostring

from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes

DAV: Final = "DAV:"
_DEPTH_MAX: Final = 40
_ELEMENTS_MAX: Final = 4000
_XML: Final = "http://www.w3.org/XML/1998/namespace"


class _Bounded(TreeBuilder):
    """Builds the tree of a document that is neither deep nor wide, and has no document type."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0
        self._elements = 0

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        self._depth += 1
        self._elements += 1
        if self._depth > _DEPTH_MAX or self._elements > _ELEMENTS_MAX:
            raise _malformed("The XML is nested too deeply, or has too many elements")
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> Element:
        self._depth -= 1
        return super().end(tag)

    def doctype(self, name: str, pubid: str | None, system: str | None, /) -> None:  # noqa: ARG002
        # Without a document type there are no entities, and nothing outside of the document.
        raise _malformed("A document type is not accepted")


def parse(body: bytes) -> Element:
    """The root element of a body."""
    try:
        parser = XMLParser(target=_Bounded())  # noqa: S314 - bounded, and without document types
        parser.feed(body)
        return parser.close()
    except (ParseError, ValueError, LookupError) as wrong:
        raise _malformed("The body is not well-formed XML") from wrong


def name_of(element: Element) -> tuple[str, str]:
    """Namespace and local name."""
    tag = str(element.tag)
    if tag.startswith("{"):
        namespace, _, local = tag[1:].partition("}")
        return namespace, local
    return "", tag


def is_dav(element: Element, local: str) -> bool:
    return name_of(element) == (DAV, local)


def dav_child(element: Element, local: str) -> Element | None:
    return next((child for child in element if is_dav(child, local)), None)


def text_of(element: Element, language: str | None = None) -> str:
    """An element as XML that is complete in itself; a language that it has inherited is written down in it."""
    if language is not None and element.get(f"{{{_XML}}}lang") is None:
        element.set(f"{{{_XML}}}lang", language)
    element.tail = None
    return tostring(element, encoding="unicode")


def inner_text_of(element: Element) -> str:
    """What is in an element, as XML."""
    inside = "".join(tostring(child, encoding="unicode") for child in element)
    return escape(element.text or "") + inside


def language_of(element: Element) -> str | None:
    return element.get(f"{{{_XML}}}lang")


_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\ufffe": "\ufffd", "\uffff": "\ufffd"})


def escape(text: str) -> str:
    """Text for an element. Two characters that names may have cannot be in XML."""
    return text if text.isalnum() else text.translate(_ESCAPES)


def _malformed(sentence: str) -> ServiceError:
    return ServiceError(codes.INVALID_REQUEST, sentence)

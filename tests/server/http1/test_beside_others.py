"""Our server beside nginx and h11: the same bytes are the same requests, or a decision says why not.

What both accept, we accept with the same bodies, and where one of them refuses a request, we never end its body
elsewhere than the other does. No decision can excuse another end of a body: what one program takes for a body and the
next one for a request is how requests are smuggled past a proxy.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.server.http1 import others
from tests.server.http1.twists import BODIES, FORMS, HEADS, Draft, joined

STRICTER: Final[Mapping[str, tuple[str, ...]]] = {
    "our parser knows the methods that are registered, and no others": (
        "unknown method",
        "long unknown method",
        "pri 1.1",
    ),
    "our parser knows no later version, and none is in use": ("http 1.2", "http 1.9"),
    "the standard demands 400 for a host that is none (RFC 9112, 3.2)": (
        "user in host",
        "bad port in host",
        "broken literal host",
        "high host",
        "quote host",
        "question in host",
        "backslash in host",
    ),
    "a request line and all of a chunked body end with CR LF; only headers, written by hand, may not (RFC 9112, 2.2)": (
        "line feeds",
        "line feeds, last whole",
        "line feed at the end",
        "trailer with line feeds",
    ),
    "control characters have no place in values (RFC 9110, 5.5: may)": (
        "control in value",
        "escape in value",
        "delete in value",
        "nul in extension",
        "control in extension",
    ),
    "extensions of chunks follow the grammar, without space before them": (
        "space after size",
        "tab after size",
        "space at the end",
        "open quotes",
        "high byte in extension",
        "empty extension",
    ),
    "a trailer that says how the body is framed contradicts the head": ("trailer length", "trailer coding"),
    "trailers have no continued lines": ("trailer folded",),
    "our parser reads this header, or trailer, like Connection: the answer is sent, and the connection ends": (
        "proxy connection",
        "trailer close",
    ),
}
LAXER: Final[Mapping[str, tuple[str, ...]]] = {
    "servers should skip empty lines before a request (RFC 9112, 2.2); h11 does not": (
        "empty line before",
        "two empty lines before",
        "line feed before",
        "carriage return before",
    ),
    "spaces in a request line may be several (RFC 9112, 3); h11 wants one": ("two gaps", "two gaps before version"),
    "h11 reads at most 20 digits of a chunk's size, and they may begin with zeros": ("many zeros before size",),
    "nginx answers this method by itself, with the body where it is": ("trace",),
    "nginx decodes and normalizes paths; ours are checked with the names in them": (
        "escaped nul in target",
        "broken escape in target",
        "dots in target",
    ),
    "an empty host is valid, and so is one of dots (RFC 3986, 3.2.2); nginx wants a name": (
        "empty host",
        "blank host",
        "dots in host",
        "dot host",
    ),
    "space around a value includes tabs (RFC 9110, 5.6.3); nginx removes spaces alone": (
        "tabs around host",
        "length with tab",
    ),
    "a header that nginx wants once may come twice": ("expect twice",),
    "h11 ends every connection of HTTP/1.0, which may ask to keep it": ("old keep-alive", "length of old kept"),
    "nginx looks for the letters of close; these are other options": ("close with parameter", "close hidden"),
    "our parser takes another name of the protocol with HTTP's version; the framing is the same": ("rtsp",),
}
END: Final = b"GET /end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
_INSERTED: Final = [
    *(bytes([one]) for one in b'\r\n\0 \t:,;01a-+"\x0b\x0c\x7f\xff'),
    b"\r\n",
    b"\r\n\r\n",
    b"chunked",
]
Request = tuple[str, list[str]]
"""How a body is announced and framed, and what else is odd about the head; by their names."""
_FORMS: Final = sorted(FORMS) + ["length", "chunked", "no body"] * (len(FORMS) // 8)
REQUESTS: Final = st.lists(
    st.tuples(st.sampled_from(_FORMS), st.lists(st.sampled_from(sorted(HEADS)), max_size=2)), min_size=1, max_size=3
)


class Sides(NamedTuple):
    """The programs that ours is compared with."""

    nginx: others.Nginx

    def differences(self, data: bytes) -> Iterator[str]:
        """Compare request by request, as long as ours goes on. A program that has stopped is no longer asked."""
        ours, beside = others.by_us([data]), [others.by_h11(data), self.nginx.reads(data)]
        for at in range(max(map(len, (one.requests for one in (ours, *beside))))):
            seen = ours.requests[at : at + 1]
            going = [one for one in beside if one.requests[at : at + 1]]
            if not seen:
                if len(going) == 2:
                    yield "stricter"
                return
            for one in going:
                assert one.requests[at : at + 1] == seen, f"another body: {data!r}: {ours}, {beside}"
            if len(going) < len(beside):
                yield "laxer"
            beside = going


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sides]:
    with others.running_beside(tmp_path_factory.mktemp("nginx")) as nginx:
        yield Sides(nginx)


def _encoded(requests: list[Request]) -> bytes:
    return b"".join(Draft(**joined(FORMS[form], *map(HEADS.__getitem__, heads))).encoded() for form, heads in requests)


def _all_one_by_one() -> Iterator[tuple[str, bytes]]:
    """Every twist alone, those of heads with every kind of body."""
    for form in FORMS:
        yield form, _encoded([(form, [])])
    for head in HEADS:
        for form in BODIES:
            yield head, _encoded([(form, [head])])


def _of(decisions: Mapping[str, tuple[str, ...]]) -> set[str]:
    return {name for names in decisions.values() for name in names}


@pytest.mark.program("nginx")
def test_every_disagreement_is_a_decision_and_every_decision_is_one(sides: Sides) -> None:
    found: dict[str, set[str]] = {"stricter": set(), "laxer": set()}
    for name, data in _all_one_by_one():
        for kind in sides.differences(data + END):
            found[kind].add(name)
    assert found["stricter"] == _of(STRICTER)
    assert found["laxer"] == _of(LAXER)


@pytest.mark.program("nginx")
@settings(max_examples=examples(150))
@given(requests=REQUESTS, more=st.sampled_from([b"", b"x", bytes(5000), END]))
def test_requests_in_a_row_are_no_others_than_those_of_nginx_and_h11(
    sides: Sides, requests: list[Request], more: bytes
) -> None:
    names = {name for form, heads in requests for name in (form, *heads)}
    for kind in sides.differences(_encoded(requests) + END + more):
        assert names & _of(STRICTER if kind == "stricter" else LAXER), f"no decision: {kind}: {requests}"


@pytest.mark.program("nginx")
@settings(max_examples=examples(150))
@given(requests=REQUESTS, data=st.data())
def test_bytes_that_nobody_would_send_smuggle_nothing(sides: Sides, requests: list[Request], data: Any) -> None:
    sent = _encoded(requests)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(sent)))
        sent = sent[:at] + data.draw(st.sampled_from(_INSERTED)) + sent[at + data.draw(st.integers(0, 1)) :]
    assert set(sides.differences(sent + END)) <= {"stricter", "laxer"}


def test_no_body_ends_elsewhere_than_h11_ends_it() -> None:
    for name, data in _all_one_by_one():
        for ours, theirs in zip(others.by_us([data + END]).requests, others.by_h11(data + END).requests, strict=False):
            assert ours == theirs, name


@settings(max_examples=examples(60))
@given(requests=REQUESTS, data=st.data())
def test_requests_are_the_same_in_whatever_pieces_they_come(requests: list[Request], data: Any) -> None:
    sent = _encoded(requests) + END
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), min_size=1, max_size=6)))
    pieces = [sent[start:end] for start, end in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
    assert others.by_us(pieces).requests == others.by_us([sent]).requests

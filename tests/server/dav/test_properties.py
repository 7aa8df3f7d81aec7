"""Dead properties and dates: set, shown, copied and removed, all of a request or nothing."""

from xml.etree import ElementTree

import pytest
from tests.server.dav.app import DAV, DavApp, entries, properties, values

from skyshelf.wire.limits import DEAD_PROPERTIES_MAX

ASK = '<propfind xmlns="DAV:" xmlns:x="urn:x"><prop><x:p/></prop></propfind>'


def set_(dav: DavApp, inside: str, path: str = "f") -> dict[str, str]:
    """The statuses of the properties that were to be set."""
    (entry,) = entries(dav.proppatch(path, f"<D:set><D:prop>{inside}</D:prop></D:set>"))
    return {
        one.tag: (stat.findtext(f"{DAV}status") or "").split()[1]
        for stat in entry.findall(f"{DAV}propstat")
        for one in stat.findall(f"{DAV}prop/*")
    }


def shown(dav: DavApp, path: str = "f") -> ElementTree.Element | None:
    (entry,) = entries(dav.propfind(path, ASK, depth="0"))
    return properties(entry).get("{urn:x}p")


def test_a_property_is_kept_as_it_was_sent_through_moves_and_copies_and_removed(dav: DavApp) -> None:
    dav.put("f")
    value = '<x:p xml:lang="de">ü &lt; <y:q xmlns:y="urn:y" a="1">tief</y:q> Ende</x:p>'
    assert set_(dav, value) == {"{urn:x}p": "200"}
    dav.copy("f", "copied")
    dav.move("f", "moved")
    for path in ("copied", "moved"):
        kept = shown(dav, path)
        assert kept is not None
        assert (kept.text, kept.get("{http://www.w3.org/XML/1998/namespace}lang")) == ("ü < ", "de")
        assert (kept[0].tag, kept[0].get("a"), kept[0].tail) == ("{urn:y}q", "1", " Ende")
    assert "{urn:x}p" in properties(entries(dav.propfind("moved", depth="0"))[0]), "allprop shows it"
    assert dav.proppatch("moved", "<D:remove><D:prop><x:p/></D:prop></D:remove>").status_code == 207
    assert shown(dav, "moved") is None
    assert shown(dav, "copied") is not None


def test_the_last_instruction_about_a_property_counts(dav: DavApp) -> None:
    dav.put("f")
    dav.proppatch(
        "f",
        "<D:set><D:prop><x:p>1</x:p></D:prop></D:set><D:remove><D:prop><x:p/></D:prop></D:remove>"
        "<D:set><D:prop><x:p>2</x:p></D:prop></D:set>",
    )
    kept = shown(dav)
    assert kept is not None
    assert kept.text == "2"


def test_a_protected_property_spoils_the_whole_request(dav: DavApp) -> None:
    dav.put("f")
    assert set_(dav, "<x:p>1</x:p><D:getetag>x</D:getetag>") == {f"{DAV}getetag": "403", "{urn:x}p": "424"}
    assert shown(dav) is None


def test_properties_are_limited(dav: DavApp) -> None:
    dav.put("f")
    many = "".join(f"<x:p{number}/>" for number in range(DEAD_PROPERTIES_MAX + 1))
    assert set(set_(dav, many).values()) == {"507"}
    assert set(set_(dav, f"<x:p>{'x' * 70_000}</x:p>").values()) == {"507"}
    assert shown(dav) is None


@pytest.mark.parametrize("name", ["D:getlastmodified", "w:Win32LastModifiedTime"])
@pytest.mark.parametrize("date", ["Sun, 13 Sep 2020 12:26:40 GMT", "2020-09-13T12:26:40Z", "1600000000"])
def test_dates_can_be_set(dav: DavApp, name: str, date: str) -> None:
    dav.put("f", b"x")
    declared = 'xmlns:w="urn:schemas-microsoft-com:"'
    assert set(set_(dav, f"<{name} {declared}>{date}</{name}>").values()) == {"200"}
    assert values(dav.propfind("f", depth="0"))["getlastmodified"] == "Sun, 13 Sep 2020 12:26:40 GMT"
    download = dav.get("f")
    assert (download.headers["last-modified"], download.content) == ("Sun, 13 Sep 2020 12:26:40 GMT", b"x")


def test_the_same_date_again_is_no_change(dav: DavApp) -> None:
    dav.put("f", b"x")

    def dated() -> int:
        assert set(set_(dav, "<D:getlastmodified>1600000000</D:getlastmodified>").values()) == {"200"}
        with dav.ctx.metadata.read() as unit:
            return unit.history.bounds(dav.account.account_id).newest

    assert dated() == dated() > 1


def test_what_is_no_date_is_refused_where_a_date_belongs(dav: DavApp) -> None:
    dav.put("f")
    before = values(dav.propfind("f", depth="0"))
    for odd in ("yesterday", "", "9" * 20, "-1"):
        assert set(set_(dav, f"<D:getlastmodified>{odd}</D:getlastmodified>").values()) == {"403"}
    assert values(dav.propfind("f", depth="0")) == before


def test_the_dates_of_a_folder_can_be_set_too(dav: DavApp) -> None:
    dav.mkcol("d")
    set_(dav, "<D:creationdate>2001-02-03T04:05:06Z</D:creationdate>", "d")
    assert values(dav.propfind("d", depth="0"))["creationdate"] == "2001-02-03T04:05:06Z"

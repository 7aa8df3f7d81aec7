"""The text of documents through the interface: its parts, what has none, and how often a document is read."""

import pytest
from tests.server.api import Api, error_of
from tests.service.documents import docx, pdf

from skyshelf.service.media.pool import MediaBusy, Workers
from skyshelf.service.media.protocol import Job, MediaResult
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import TEXT_PART_BYTES_MAX

UMLAUTS = "äöü" * 10


def text_at(api: Api, key: str, **params: int) -> dict[str, object]:
    answer = api.get(f"/x/v1/texts/{key}", params=params)
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    found: dict[str, object] = answer.json()
    return found


def test_a_text_is_returned_whole_or_in_parts_between_characters(api: Api) -> None:
    key = api.file("letter.docx", docx(UMLAUTS)).object_key
    assert text_at(api, key) == {"text": UMLAUTS, "start": 0, "isWhole": True}
    first = text_at(api, key, length=5)
    assert (first["text"], first["nextStart"]) == ("äö", 4)
    # Within a character, its beginning is where the part begins.
    assert text_at(api, key, start=5, length=4)["text"] == "üä"
    assert text_at(api, key, start=10**9) == {"text": "", "start": 60, "isWhole": True}


@pytest.mark.parametrize("params", [{"start": -1}, {"length": 3}, {"length": TEXT_PART_BYTES_MAX + 1}, {"start": "x"}])
def test_parts_that_cannot_be_are_refused(api: Api, params: dict[str, object]) -> None:
    key = api.file("letter.docx", docx("words")).object_key
    assert api.get(f"/x/v1/texts/{key}", params=params).status_code == 400


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.txt", b"words"), ("a.png", b"words"), ("a.docx", b"no document"), ("a.pdf", b""), ("empty.docx", docx(""))],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_has_no_text_says_so(api: Api, name: str, content: bytes) -> None:
    key = api.file(name, content).object_key
    assert error_of(api.get(f"/x/v1/texts/{key}")) == (404, codes.NO_TEXT.code)


def test_a_folder_and_a_trashed_file_have_none(api: Api) -> None:
    key = api.file("letter.docx", docx("words")).object_key
    api.trash(key)
    assert error_of(api.get(f"/x/v1/texts/{key}"))[0] == 404
    assert error_of(api.get(f"/x/v1/texts/{api.folder('f').object_key}")) == (400, codes.FILE_EXPECTED.code)


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """The jobs that workers get."""
    made: list[Job] = []
    submit = Workers.submit

    def counted(self: Workers, account_id: int, work: object, **given: object) -> object:
        def noted(run: object) -> object:
            def run_noted(job: Job) -> MediaResult | None:
                made.append(job)
                return run(job)  # type: ignore[operator,no-any-return]

            return work(run_noted)  # type: ignore[operator]

        return submit(self, account_id, noted, **given)  # type: ignore[arg-type]

    monkeypatch.setattr(Workers, "submit", counted)
    return made


def test_a_document_is_read_once_for_all_its_parts_and_a_hostile_one_too(api: Api, jobs: list[Job]) -> None:
    good = api.file("paper.pdf", pdf("many words")).object_key
    bad = api.file("broken.pdf", b"%PDF nothing").object_key
    for _ in range(3):
        assert text_at(api, good, start=5)["text"] == "words"
        assert error_of(api.get(f"/x/v1/texts/{bad}"))[1] == codes.NO_TEXT.code
    assert len(jobs) == 2


def test_a_full_queue_asks_to_come_back(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    key = api.file("letter.docx", docx("other words")).object_key

    def full(*_: object, **__: object) -> None:
        raise MediaBusy

    monkeypatch.setattr(Workers, "submit", full)
    answer = api.get(f"/x/v1/texts/{key}")
    assert answer.status_code in {429, 503}
    assert int(answer.headers["retry-after"]) > 0

"""The reference pages are generated from the definitions, complete, and not stale."""

from pathlib import Path

import pytest
from docs import generate
from tests.wire.answer_models import ANSWER_MODELS

from skyshelf.wire import limits
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.error_codes import ERROR_CODES


def test_the_committed_pages_are_fresh() -> None:
    assert generate.stale_pages() == [], "run python -m docs.generate"


def test_a_stale_or_missing_page_is_named_and_fails_the_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert generate.main([], tmp_path) == 0
    assert generate.main(["--check"], tmp_path) == 0
    (tmp_path / "reference/errors.md").write_text("old")
    (tmp_path / "reference/limits.md").unlink()
    assert generate.main(["--check"], tmp_path) == 1
    named = capsys.readouterr().err
    assert "errors.md" in named
    assert "limits.md" in named
    assert "endpoints.md" not in named
    assert (tmp_path / "reference/errors.md").read_text() == "old", "a check writes nothing"


@pytest.mark.parametrize("name", generate.PAGES)
def test_a_page_says_on_top_that_it_is_generated(name: str) -> None:
    assert generate.PAGES[name]().splitlines()[0] == generate.NOTE


def test_every_endpoint_code_limit_and_object_is_documented() -> None:
    endpoints, errors = generate.endpoints_page(), generate.errors_page()
    assert all(f"### {endpoint.method} {endpoint.path}\n" in endpoints for endpoint in ENDPOINTS)
    assert all(f"`{code}`" in errors for code in ERROR_CODES)
    names = [name for name in vars(limits) if name.isupper()]
    limits_page = generate.limits_page()
    assert [name for name in names if f"| `{name}` |" not in limits_page] == []
    objects = generate.objects_page()
    assert [model.__name__ for model in ANSWER_MODELS if f"## {model.__name__}\n" not in objects] == []


def test_the_pages_say_what_a_reader_needs() -> None:
    endpoints = generate.endpoints_page()
    assert "| `limit` | integer | `200` | 1 to 5000 |" in endpoints
    assert "| `type` | `f` or `w` |  | refused with `NMSOM0129` |" in endpoints
    assert "| `X-Offset` | integer | required |" in endpoints
    assert "| `folderKey` | string | required | 32 hexadecimal digits |" in endpoints
    assert "Answers: 200 array of [ManualTag](objects.md#manualtag)." in endpoints
    assert "| `LISTING_LIMIT_MAX` | 5,000 | objects in one page at most;" in generate.limits_page()
    assert "| `SKY4007` | 413 | QuotaExceededError | no | 9 |" in generate.errors_page()
    assert "| `objects` | array of [CloudObject](objects.md#cloudobject) |" in generate.objects_page()

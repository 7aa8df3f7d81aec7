"""What the pages for operators say, against each other and against what is installed."""

import re
from pathlib import Path

import pytest
from tests.real_parts.nginx import documented

from skyshelf.service.retention import SETTINGS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operating.md").read_text("utf-8")
FROM_ZERO = (ROOT / "docs" / "from-zero.md").read_text("utf-8")
PROXIES = ROOT / "packaging" / "proxies"
FOR_PROXIES = (
    "container/Caddyfile",
    "proxies/Caddyfile",
    "proxies/haproxy.cfg",
    "proxies/nginx-path.conf",
    "proxies/traefik-skyshelf.yaml",
)


def directives(nginx: str) -> set[str]:
    """The directives of a configuration, without the names and files of one installation."""
    bare = re.sub(r"#.*", "", nginx)
    found = {" ".join(one.split()) for one in re.findall(r"[^;{}]+(?=[;{])", bare)}
    return {one for one in found if one and not one.startswith(("ssl_", "server_name", "listen", "server "))}


def from_zero() -> str:
    """The server that speaks TLS, and its upstream, as the page from zero writes them."""
    written = FROM_ZERO.partition("/etc/nginx/conf.d/skyshelf.conf <<'END'\n")[2].partition("\nEND\n")[0]
    before, redirecting, serving = written.split("\nserver {\n")
    assert "return 308" in redirecting
    return f"{before}\nserver {{\n{serving}"


def test_both_pages_for_nginx_say_the_same() -> None:
    shown = directives(documented())
    assert len(shown) > 15
    assert shown == directives(from_zero())


def headers_of(nginx: str) -> set[str]:
    return set(re.findall(r"proxy_set_header (\S+)", nginx))


def test_all_configurations_for_nginx_set_the_same_headers() -> None:
    assert headers_of(documented(offload=True)) == headers_of(documented())
    assert headers_of((PROXIES / "nginx-path.conf").read_text()) == headers_of(documented())


@pytest.mark.parametrize("path", FOR_PROXIES)
def test_no_client_speaks_for_a_proxy(path: str) -> None:
    text = (ROOT / "packaging" / path).read_text()
    for header in ("X-Sendfile-Type", "traceparent"):
        assert re.search(rf'(header_up -{header}|{header}:? "";?|del-header {header})$', text, re.MULTILINE), header


def test_both_files_for_caddy_have_the_same_limits() -> None:
    limits = [(ROOT / "packaging" / name / "Caddyfile").read_text() for name in ("proxies", "container")]
    options = [re.search(r"^\{\n.*?^\}$", text, re.MULTILINE | re.DOTALL) for text in limits]
    assert options[0] is not None
    assert options[1] is not None
    assert options[0][0] == options[1][0]
    assert "read_header 15s" in options[0][0]


def test_the_quarantine_is_as_long_as_the_settings_say() -> None:
    days = {one.name: one.default for one in SETTINGS}
    section = PAGE.partition("\n## Quarantine\n")[2].partition("\n## ")[0]
    assert f"kept for {days['quarantine_days']} days (`quarantine_days`)" in section
    assert f"{days['history_days']} days (`history_days`)" in section


def test_no_url_of_the_compose_file_has_a_password() -> None:
    urls = re.findall(r"\w+://\S+", (ROOT / "packaging" / "container" / "compose.yaml").read_text())
    assert len(urls) > 3
    assert [url for url in urls if re.match(r"\w+://[^/@]*:[^/@]*@", url)] == []


WRONG = {
    "server sends no mail": "it does, with --mail",
    "what is left over is cleaned up": "an encrypted backup leaves objects until they are removed",
    "migrated when it is opened": "by `serve` and `upgrade` alone",
    "reads the file as the server would": "and checks the rest, too",
}
"""Sentences of former pages for operators, with what is right."""


@pytest.mark.parametrize("sentence", WRONG)
def test_what_was_once_wrong_is_not_said_again(sentence: str) -> None:
    pages = [*(ROOT / "docs").glob("*.md"), *(ROOT / "packaging").rglob("*.md"), ROOT / "README.md"]
    said = [page.name for page in pages if re.search(sentence, " ".join(page.read_text("utf-8").split()))]
    assert said == [], WRONG[sentence]


def test_no_line_of_a_list_is_there_twice() -> None:
    begun = re.findall(r"^- \*\*([^*]+)\*\*[:,]? .*\n- \*\*\1\*\*", PAGE, re.MULTILINE)
    assert begun == []


def test_the_pages_have_what_an_operator_asked_for() -> None:
    for words in ("max_connections", "NFS", "read-after-write", "### Several instances behind a proxy", "sizing.md"):
        assert words in PAGE, words
    assert "A deletion changes no backup" in PAGE

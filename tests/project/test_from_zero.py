"""The guide from a bare machine to a service, followed word for word."""

import json
import re
import ssl
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx2
import pytest
import yaml  # type: ignore[import-untyped]
from tests.real_parts.bare_machine import (
    CLIENT,
    FOLDERS,
    HOST,
    NEEDED,
    PORTS,
    PROVIDER,
    SECRET,
    USER,
    BareMachine,
    bare_machine,
)
from tests.real_parts.canaille import GRACE, Person, running_canaille
from tests.real_parts.programs import program, root_alone
from tests.real_parts.wheelhouse import make_wheelhouse
from tests.server.oidc.browser import HEADERS
from tools.generate.monitoring import ROWS
from tools.release_files import make_release_files, server_requirements

from skyshelf.wire.version import VERSION

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "from-zero.md"
READERS_OWN = {HOST, USER, PROVIDER, CLIENT, SECRET, "ada@example.org", *FOLDERS, *PORTS}


class Block(NamedTuple):
    heading: str
    text: str

    @property
    def is_for_systemd(self) -> bool:
        return re.search(r"\b(with|of) systemd\b", self.heading.lower()) is not None


def blocks() -> Iterator[Block]:
    heading = ""
    for found in re.finditer(r"^#+ ([^\n]+)$|^```(\w*)\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL):
        if found[1]:
            heading = found[1]
        else:
            assert found[2] == "sh", f"only what can be run is shown as a block: {found[3]}"
            yield Block(heading, found[3])


def test_the_guide_lists_every_name_that_is_the_readers_own() -> None:
    table = re.search(r"^\| here \| yours \|\n(.*?)\n\n", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert table is not None
    listed = {name for line in table[1].splitlines() for name in re.findall(r"`([^`]+)`", line.split("|")[1])}
    assert listed == READERS_OWN


def test_every_step_with_systemd_has_one_without_it() -> None:
    with_it = [block for block in blocks() if block.is_for_systemd]
    without = [block for block in blocks() if "without systemd" in block.heading.lower()]
    assert len(with_it) == len(without) == 6


def make_release(machine: BareMachine) -> None:
    """The files of a release of the working tree, and the packages that pip would download."""
    release = machine.path("/root/release")
    release.mkdir(parents=True)
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(release)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    make_release_files(ROOT, release, VERSION)
    names = re.findall(r"^([\w.-]+)(?:\[[^\]]*\])?==", server_requirements(ROOT), re.MULTILINE)
    make_wheelhouse(machine.root / "wheels", [*names, "supervisor"])


def verified_by_systemd(machine: BareMachine, block: str) -> None:
    """Run all but the orders to systemd, which does not run here, and have it read the units that they name."""
    orders = re.findall(r"^systemctl (.*)$", block, re.MULTILINE)
    machine.shell.run(machine.here(re.sub(r"^systemctl .*\n", "", block, flags=re.MULTILINE)) or ":")
    for unit in {name for order in orders for name in re.findall(r"[\w-]+\.(?:service|timer)", order)}:
        file = machine.path("/etc/systemd/system") / unit
        file.write_text(machine.here(file.read_text()))
        said = machine.shell.run(f"systemd-analyze verify {file} 2>&1 || true")
        assert not [line for line in said.splitlines() if str(machine.root) in line or unit in line], said


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[BareMachine]:
    """A bare machine in a network that has a login provider, where the service is registered."""
    root_alone()
    for name in NEEDED:
        program(name)
    with bare_machine() as machine, running_canaille(tmp_path) as provider:
        client = provider.register(machine.here(f"https://{HOST}/oidc/company/callback"))
        machine.given = {f"https://{PROVIDER}": provider.issuer, CLIENT: client.id, SECRET: client.secret}
        make_release(machine)
        yield machine


@pytest.mark.whole
def test_the_guide_leads_from_a_bare_machine_to_a_service(machine: BareMachine) -> None:
    said: dict[str, str] = {}
    for block in blocks():
        if not block.is_for_systemd:
            said[block.heading] = said.get(block.heading, "") + machine.shell.run(machine.here(block.text))
        else:
            verified_by_systemd(machine, block.text)
    check_what_was_said(said)
    check_what_runs_as_whom(machine)
    check_dashboard(machine)
    check_redirect(machine)
    check_login_through_provider(machine, GRACE)
    check_file_over_tls(machine)


def check_what_was_said(said: dict[str, str]) -> None:
    assert f"skyshelf {VERSION}" in said["The program"].lower()
    assert "Added ada@example.org" in said["Stores and accounts"]
    assert '"metadata":"ready"' in said["It answers over TLS"]
    assert re.search(r"^\S+Z +1 .* complete", said["There is a cut"], re.MULTILINE)
    assert "none damaged or missing" in said["There is a cut"]
    assert said["It is scraped"].split()[-1] == "1"
    assert "The store is up to date" in said["Upgrades"]


def check_what_runs_as_whom(machine: BareMachine) -> None:
    """The service has no right that it does not need."""
    users = machine.shell.run("ps -eo user:32,args")
    serving = [line for line in users.splitlines() if f"{machine.root}/opt/skyshelf/bin/skyshelf serve" in line]
    assert serving
    assert {line.split()[0] for line in serving} == {machine.user}
    for private in ("/var/lib/skyshelf", "/var/backups/skyshelf"):
        assert machine.path(private).stat().st_mode & 0o077 == 0
    for secret in ("/etc/skyshelf/ca.key", "/etc/skyshelf/tls.key", "/root/release/password"):
        assert machine.path(secret).stat().st_mode & 0o077 == 0


def check_dashboard(machine: BareMachine) -> None:
    """The data source answers the queries of the dashboard that Grafana is given."""
    provisioning = machine.path("/etc/grafana/provisioning")
    (source,) = yaml.safe_load((provisioning / "datasources/skyshelf.yml").read_text())["datasources"]
    (provider,) = yaml.safe_load((provisioning / "dashboards/skyshelf.yml").read_text())["providers"]
    assert json.loads((Path(provider["options"]["path"]) / "skyshelf.json").read_text())["title"]
    # Many are about what has not happened yet. Of a service that has just started, the next scrape finds the rest.
    until = time.monotonic() + 120
    while (answered := sum(map(bool, answers(source["url"])))) <= 20:
        assert time.monotonic() < until, answered
        time.sleep(1)


def answers(prometheus: str) -> Iterator[list[object]]:
    """Yield Prometheus' answer to each query of the dashboard."""
    for _, row in ROWS:
        for panel in row:
            for query in panel.queries:
                expression = query.expression.replace("$__rate_interval", "1m").replace("$job", ".*")
                asked = urllib.parse.urlencode({"query": expression})
                with urllib.request.urlopen(f"{prometheus}/api/v1/query?{asked}", timeout=60) as answer:
                    found = json.load(answer)
                assert found["status"] == "success"
                yield found["data"]["result"]


def check_redirect(machine: BareMachine) -> None:
    head = machine.shell.run(f"curl --silent --head http://localhost:{machine.ports['80']}/web/?q=1")
    assert "308" in head.splitlines()[0]
    assert re.search(r"^location: https://localhost/web/\?q=1\s*$", head, re.MULTILINE | re.IGNORECASE)


def check_login_through_provider(machine: BareMachine, person: Person) -> None:
    """On the pages of a real provider, as a browser does it; the first login makes the account."""
    trusted = ssl.create_default_context(cafile=machine.path("/etc/skyshelf/ca.crt"))
    with httpx2.Client(verify=trusted, follow_redirects=True, timeout=60) as browser:
        url = machine.here(f"https://{HOST}")
        page = browser.get(f"{url}/oidc/company/login", params={"return": "/drive"})
        for field, value in (("login", person.name), ("password", person.password)):
            hidden = re.findall(r'<input[^>]*name="(csrf_token)"[^>]*value="([^"]+)"', page.text)
            assert f'name="{field}"' in page.text, page.text
            page = browser.post(page.url, data={**dict(hidden), field: value})
        assert str(page.url) == f"{url}/drive?login=done", page.url
        session = browser.post(f"{url}/x/v1/login/provider", json={}, headers=HEADERS)
        assert session.status_code == 200, session.text
        profile = browser.get(f"{url}/security/users", headers=HEADERS)
    assert profile.json()["emailId"] == person.email


def check_file_over_tls(machine: BareMachine) -> None:
    """After backup, drill and upgrade, the file is still there, for the session of the first login."""
    machine.shell.run(
        f"SSL_CERT_FILE={machine.path('/etc/skyshelf/ca.crt')} {machine.path('/opt/skyshelf/bin/skyshelf')}"
        f" get /hello.txt {machine.root}/home/again.txt && cmp {machine.root}/home/again.txt"
        f" {machine.path('/root/release/hello.txt')}"
    )

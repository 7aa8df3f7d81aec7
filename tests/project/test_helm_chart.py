"""The chart for Kubernetes: every combination of its values, rendered by Helm, is accepted by Kubernetes' schemas."""

import itertools
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from tests.cli.command_tree import all_commands
from tests.project.test_container import USER, environment, known_variables
from tests.project.test_documented_commands import problem_of
from tests.real_parts.kubernetes import Rendered, lint_and_render

from skyshelf.wire.version import VERSION

ROOT = Path(__file__).parents[2]
CHART = ROOT / "packaging" / "helm" / "skyshelf"
PAGE = ROOT / "docs" / "operating.md"
BASE: dict[str, Any] = {
    "image": {"repository": "registry.example.org/skyshelf"},
    "publicUrl": "https://drive.example.org",
}
ON_DISK: dict[str, Any] = {"stores": {"kind": "sqlite-disk"}}
IN_SERVICES: dict[str, Any] = {
    "stores": {
        "kind": "postgresql-s3",
        "database": {"url": "postgresql://skyshelf@db/skyshelf", "existingSecret": "database"},
        "bucket": {"url": "s3://drive?endpoint=https://s3.example.org", "existingSecret": "bucket"},
    },
    "replicaCount": 3,
}
CHOICES: tuple[tuple[dict[str, Any], ...], ...] = (
    (ON_DISK, IN_SERVICES),
    (
        {},
        {"ingress": {"enabled": True, "className": "nginx", "tls": {"enabled": False}}},
        {"ingress": {"enabled": True}},
    ),
    ({}, {"httpRoute": {"enabled": True, "parentRefs": [{"name": "web"}], "timeouts": {"request": "0s"}}}),
    (
        {},
        {"backup": {"enabled": False}},
        {"backup": {"destination": "s3://copies?endpoint=https://s3.example.com", "recipients": ["age1abc"]}},
        {"backup": {"volume": {"existingClaim": "copies"}, "timeZone": "Europe/Berlin"}},
    ),
    ({}, {"metrics": {"networks": ["10.0.0.0/8", "fd00::/8"], "serviceMonitor": {"enabled": True}}}),
    ({}, {"operator": {"email": "ada@example.org"}, "server": {"config": 'quota = "1GiB"\ntrash-days = 60\n'}}),
    (
        {},
        {
            "serviceAccount": {"create": False},
            "image": {"repository": "registry.example.org/skyshelf", "digest": "sha256:" + 64 * "a"},
            "imagePullSecrets": [{"name": "registry"}],
            "nodeSelector": {"disk": "fast"},
            "tolerations": [{"key": "drive", "operator": "Exists"}],
            "affinity": {"nodeAffinity": {}},
            "podAnnotations": {"a": "b"},
            "podLabels": {"c": "d"},
            "priorityClassName": "high",
            "topologySpreadConstraints": [
                {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
            ],
            "extraEnv": [{"name": "SKYSHELF_SERVE_QUOTA", "value": "1GiB"}],
            "extraVolumes": [{"name": "mail", "secret": {"secretName": "mail"}}],
            "extraVolumeMounts": [{"name": "mail", "mountPath": "/run/mail"}],
        },
    ),
)  # fmt: skip
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a value that the chart does not know": ({"ingres": {"enabled": True}}, "ingres"),
    "no image": ({"image": {"repository": ""}}, "build the image of a release"),
    "no address": ({"publicUrl": ""}, "publicUrl is missing"),
    "an address without a scheme": ({"publicUrl": "drive.example.org"}, "publicUrl"),
    "two pods on one volume": ({**ON_DISK, "replicaCount": 2}, "replicaCount"),
    "a database without an address": ({"stores": {"kind": "postgresql-s3"}}, "url"),
    "a password in the values": (
        {"stores": {"kind": "postgresql-s3", "database": {"url": "postgresql://me:secret@db/x"}}},
        "url",
    ),
    "keys of another bucket beside those of the store": (
        {**IN_SERVICES, "backup": {"destination": "s3://other", "existingSecret": "other"}},
        "existingSecret",
    ),
    "a setting in the file that the chart overrides": (
        {"server": {"config": 'quota = "1GiB"\npublic-url = "https://other.example.org"\n'}},
        "server.config must not set `public-url`",
    ),
    "a route without a gateway": ({"httpRoute": {"enabled": True}}, "parentRefs"),
    "a backup that keeps nonsense": ({"backup": {"keep": "some"}}, "keep"),
}


def merged(*parts: Mapping[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for part in parts:
        for name, value in part.items():
            is_map = isinstance(value, dict) and isinstance(result.get(name), dict)
            result[name] = merged(result[name], value) if is_map else value
    return result


def combinations() -> list[dict[str, Any]]:
    return [merged(BASE, *choice) for choice in itertools.product(*CHOICES)]


def pods(rendered: Rendered) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each manifest that makes pods, with their specification."""
    for one in rendered.manifests():
        spec = one.get("spec", {})
        if one["kind"] == "CronJob":
            spec = spec["jobTemplate"]["spec"]
        if one["kind"] == "Pod":
            yield one, spec
        elif "template" in spec:
            yield one, spec["template"]["spec"]


def containers(spec: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [*spec.get("initContainers", []), *spec["containers"]]


def commands(container: Mapping[str, Any]) -> list[str]:
    """The command lines of Skyshelf that a container runs."""
    if "command" not in container:
        return [shlex.join(["skyshelf", *container["args"]])]
    (script,) = container["args"]
    return [found.strip() for found in re.findall(r"^(?:if )?(skyshelf [^|\n]+)", script, re.MULTILINE)]


@pytest.mark.whole
def test_every_combination_of_values_is_rendered_and_accepted(tmp_path: Path) -> None:
    values = combinations()
    lint, rendered = lint_and_render(CHART, values, tmp_path)
    assert (lint["errors"], [one for one in lint["messages"] if "icon" not in one["error"]]) == ([], [])
    lines: set[str] = set()
    variables: set[str] = set()
    for given, one in zip(values, rendered, strict=True):
        assert (one.error, list(one.problems)) == ("", []), given
        check_objects(given, one)
        check_rights(one)
        for _, spec in pods(one):
            for container in containers(spec):
                assert commands(container)
                lines.update(commands(container))
                variables.update(variable["name"] for variable in container.get("env", []))
    known = all_commands()
    assert {line: problem for line in sorted(lines) if (problem := problem_of(line, known))} == {}
    assert {name for name in variables if name.startswith("SKYSHELF_")} <= known_variables()


def check_objects(given: Mapping[str, Any], rendered: Rendered) -> None:
    """What is there, and that it refers to what is there."""
    is_on_disk = given["stores"]["kind"] == "sqlite-disk"
    backup, metrics = given.get("backup", {}), given.get("metrics", {})
    counts = {
        "StatefulSet": int(is_on_disk),
        "Deployment": int(not is_on_disk),
        "Job": int(not is_on_disk),
        "PodDisruptionBudget": int(not is_on_disk),
        "Ingress": int(given.get("ingress", {}).get("enabled", False)),
        "HTTPRoute": int("httpRoute" in given),
        "CronJob": int(backup.get("enabled", True)),
        "ServiceMonitor": int("serviceMonitor" in metrics),
        "ConfigMap": int("server" in given),
        "PersistentVolumeClaim": int(is_on_disk) + int(not backup),
    }
    assert {kind: len(rendered.of_kind(kind)) for kind in counts} == counts, given
    (service,) = rendered.of_kind("Service")
    (server,) = rendered.of_kind("StatefulSet", "Deployment")
    labels = server["spec"]["template"]["metadata"]["labels"]
    assert service["spec"]["selector"].items() <= labels.items()
    assert server["spec"]["selector"]["matchLabels"].items() <= labels.items()
    for manifest, spec in pods(rendered):
        if manifest["kind"] not in {"Pod", server["kind"]}:
            inner = manifest["spec"].get("jobTemplate", manifest)["spec"]["template"]["metadata"]["labels"]
            assert not service["spec"]["selector"].items() <= inner.items(), "only servers get requests"
        volumes = {volume["name"] for volume in spec.get("volumes", [])}
        for container in containers(spec):
            assert {mount["name"] for mount in container.get("volumeMounts", [])} <= volumes
    claims = {one["metadata"]["name"] for one in rendered.of_kind("PersistentVolumeClaim")} | {"copies"}
    named = [found for text in rendered.templates.values() for found in re.findall(r"claimName: (\S+)", text)]
    assert set(named) <= claims
    for one in rendered.of_kind("PersistentVolumeClaim"):
        assert one["metadata"]["annotations"]["helm.sh/resource-policy"] == "keep"


def check_rights(rendered: Rendered) -> None:
    """The standard "restricted" of Kubernetes, and nothing to write to but volumes."""
    for _, spec in pods(rendered):
        pod = spec["securityContext"]
        assert (pod["runAsNonRoot"], pod["runAsUser"], pod["seccompProfile"]) == (
            True,
            USER,
            {"type": "RuntimeDefault"},
        )
        assert (spec["automountServiceAccountToken"], spec["enableServiceLinks"]) == (False, False)
        for container in containers(spec):
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }


@pytest.mark.whole
def test_values_that_cannot_work_are_refused_with_a_reason(tmp_path: Path) -> None:
    values = [merged(BASE, ON_DISK, wrong) for wrong, _ in REFUSED.values()]
    _, rendered = lint_and_render(CHART, [merged(BASE, ON_DISK), *values], tmp_path)
    assert rendered[0].error == ""
    for (why, (_, reason)), one in zip(REFUSED.items(), rendered[1:], strict=True):
        assert reason in one.error, (why, one.error)


@pytest.mark.whole
def test_a_manifest_that_is_wrong_would_be_found(tmp_path: Path) -> None:
    chart = tmp_path / "skyshelf"
    shutil.copytree(CHART, chart)
    service = chart / "templates" / "service.yaml"
    service.write_text(service.read_text().replace("targetPort:", "targetport:"))
    (chart / "templates" / "servicemonitor.yaml").write_text(
        (CHART / "templates" / "servicemonitor.yaml").read_text().replace("interval:", "intervall:")
    )
    given = merged(BASE, ON_DISK, {"metrics": {"serviceMonitor": {"enabled": True}}})
    _, (rendered,) = lint_and_render(chart, [given], tmp_path)
    assert [problem.split()[0] for problem in sorted(rendered.problems)] == ["Service", "ServiceMonitor"]


@pytest.mark.whole
def test_the_values_of_the_guide_are_accepted_and_what_it_says_is_rendered(tmp_path: Path) -> None:
    section = PAGE.read_text().split("### On Kubernetes")[1].split("\n### ")[0]
    given = [yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```", section, re.MULTILINE | re.DOTALL)]
    assert len(given) == 2
    _, (small, large) = lint_and_render(CHART, given, tmp_path)
    assert (small.error, large.error) == ("", "")
    assert "statefulset/drive-skyshelf" in small.templates["NOTES.txt"]
    assert "job/drive-skyshelf-init" in large.templates["NOTES.txt"]
    assert large.of_kind("Deployment")[0]["spec"]["replicas"] == 3
    (ingress,) = small.of_kind("Ingress")
    assert ingress["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-body-size"] == "0"
    (secrets,) = {frozenset(re.findall(r"name: (drive-[a-z]+)\n +key: ([a-z-]+)", large.templates["server.yaml"]))}
    made = re.findall(r"create secret generic (drive-\w+)((?: --from-literal=[a-z-]+=…)+)", section)
    assert secrets == {(name, key) for name, keys in made for key in re.findall(r"literal=([a-z-]+)=", keys)}


@pytest.mark.whole
def test_an_address_with_a_port_and_a_path_becomes_host_and_path(tmp_path: Path) -> None:
    given = merged(BASE, ON_DISK, CHOICES[1][1], CHOICES[2][1], {"publicUrl": "https://example.org:8443/skyshelf/"})
    _, (rendered,) = lint_and_render(CHART, [given], tmp_path)
    (rule,) = rendered.of_kind("Ingress")[0]["spec"]["rules"]
    assert (rule["host"], rule["http"]["paths"][0]["path"]) == ("example.org", "/skyshelf")
    (route,) = rendered.of_kind("HTTPRoute")
    assert route["spec"]["hostnames"] == ["example.org"]
    assert route["spec"]["rules"][0]["matches"][0]["path"]["value"] == "/skyshelf"


def test_the_chart_has_the_version_of_the_release_and_the_variables_of_the_image() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"]) == (VERSION, VERSION)
    assert environment()["SKYSHELF_SERVE_DATA"] == "/var/lib/skyshelf"
    assert "mountPath: /var/lib/skyshelf" in (CHART / "templates" / "_helpers.tpl").read_text()


def test_the_sentence_that_stops_an_upgrade_is_one_of_the_command() -> None:
    script = (CHART / "templates" / "_helpers.tpl").read_text()
    (sentence,) = re.findall(r'grep --quiet "([^"]+)"', script)
    before, after = sentence.split(": ")
    source = (ROOT / "src" / "skyshelf" / "cli" / "admin" / "upgrade.py").read_text()
    assert f'"{before}" + (": {after}.' in source

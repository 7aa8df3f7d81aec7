"""The process of `kubernetes.py`: Helm's own engine, and the schemas of Kubernetes.

It reads one JSON document, `{"chart": …, "values": [{…}, …]}`, and prints one: for each of the values what was
rendered, by template, or an error, and what is wrong with the manifests.
"""

import functools
import json
import sys
from pathlib import Path
from typing import Any

RELEASE, NAMESPACE = "drive", "cloud"
VERSIONS = ("1.27", "1.37")
"""The oldest version of Kubernetes that the chart accepts, and the newest that the validator knows."""
_LABELS = {"type": "object", "additionalProperties": {"type": "string"}}
_METADATA = {"type": "object", "required": ["name"], "properties": {"labels": _LABELS, "annotations": _LABELS}}


def _strict(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "required": list(properties), "properties": properties}


def _custom(spec: dict[str, Any]) -> dict[str, Any]:
    return _strict(apiVersion={"type": "string"}, kind={"type": "string"}, metadata=_METADATA, spec=spec)


_STRING, _DURATION = {"type": "string", "minLength": 1}, {"type": "string", "pattern": "^([0-9]+(ms|s|m|h))+$"}
_PREFIX = _strict(path=_strict(type={"enum": ["PathPrefix"]}, value={"type": "string", "pattern": "^/"}))
_RULE = _strict(
    matches={"type": "array", "items": _PREFIX},
    backendRefs={"type": "array", "items": _strict(name=_STRING, port={"type": "integer"})},
)
_RULE["properties"]["timeouts"] = {"type": "object", "additionalProperties": _DURATION}
CUSTOM = {
    # No package has the schemas of these two: what the chart uses of them, by their documentation.
    "ServiceMonitor": _custom(
        _strict(
            selector=_strict(matchLabels=_LABELS),
            endpoints={
                "type": "array",
                "minItems": 1,
                "items": _strict(port=_STRING, path=_STRING, interval=_DURATION, scrapeTimeout=_DURATION),
            },
        )
    ),
    "HTTPRoute": _custom(
        _strict(
            parentRefs={"type": "array", "minItems": 1, "items": {"type": "object", "required": ["name"]}},
            hostnames={"type": "array", "minItems": 1, "items": _STRING},
            rules={"type": "array", "minItems": 1, "items": _RULE},
        )
    ),
}


@functools.cache
def _problem(text: str) -> str | None:
    """What is wrong with a manifest, by any of the versions."""
    import jsonschema  # type: ignore[import-untyped]
    import kubernetes_validate  # type: ignore[import-not-found]
    import yaml  # type: ignore[import-untyped]

    manifest = yaml.safe_load(text)
    try:
        if manifest["kind"] in CUSTOM:
            jsonschema.validate(manifest, CUSTOM[manifest["kind"]])
        else:
            for version in VERSIONS:
                kubernetes_validate.validate(manifest, version, strict=True)
    except (jsonschema.ValidationError, kubernetes_validate.ValidationError) as error:
        return f"{manifest['kind']} {manifest['metadata']['name']}: {error}"
    return None


def _rendered(chart: Any, values: dict[str, Any]) -> dict[str, Any]:
    import helm_python  # type: ignore[import-not-found]

    try:
        chart.validate_schema(values)
        templates = chart.render(values, name=RELEASE, namespace=NAMESPACE)
    except helm_python.HelmError as error:
        return {"error": str(error)}
    templates = {name.partition("/templates/")[2]: text for name, text in templates.items() if text.strip()}
    manifests = [
        document
        for name, text in templates.items()
        if name.endswith(".yaml")
        for document in text.split("\n---\n")
        if document.strip()
    ]
    return {"templates": templates, "problems": [found for one in manifests if (found := _problem(one))]}


def main() -> None:
    import helm_python

    given = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    findings = helm_python.lint(given["chart"], given["values"][0])
    with helm_python.Chart.load(given["chart"]) as chart:
        rendered = [_rendered(chart, values) for values in given["values"]]
    print(json.dumps({"lint": findings, "rendered": rendered}))


if __name__ == "__main__":
    main()

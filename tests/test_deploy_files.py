"""The files for a cluster match the program: the manifest for Kubernetes, and the configuration of the proxy."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.registry.checkpoint import TASKS_OF_FAMILY
from app.settings import PREFIX, ROOT, Settings
from app.visits import COOKIE

MANIFEST, PROXY = ROOT / "deploy" / "rayservice.yaml", ROOT / "deploy" / "nginx.conf"

TEXT, NUMBER = {"type": "string", "minLength": 1}, {"type": "integer", "minimum": 0}


def an_object(required: dict[str, Any], optional: dict[str, Any] = {}, strict: bool = True) -> dict[str, Any]:
    """A schema of an object with these fields, and no others where it is strict."""
    fields = {"properties": {**required, **optional}, "required": list(required)}
    return {"type": "object", "additionalProperties": not strict, **fields}


def many(items: dict[str, Any]) -> dict[str, Any]:
    """A schema of a list that is not empty."""
    return {"type": "array", "minItems": 1, "items": items}


CONTAINER = an_object(
    {
        "name": TEXT,
        "image": TEXT,
        "resources": an_object({"limits": an_object({"cpu": TEXT, "memory": TEXT}, strict=False)}),
    },
    {
        "env": many(an_object({"name": TEXT, "value": TEXT})),
        "command": many(TEXT),
        "ports": many(an_object({"containerPort": NUMBER})),
        "readinessProbe": an_object({"httpGet": an_object({"path": TEXT, "port": NUMBER})}),
        "volumeMounts": many(an_object({"name": TEXT, "mountPath": TEXT})),
    },
)
VOLUME = an_object({"name": TEXT, "persistentVolumeClaim": an_object({"claimName": TEXT})})
TEMPLATE = an_object(
    {"spec": an_object({"containers": many(CONTAINER)}, {"volumes": many(VOLUME)})},
    {"metadata": an_object({"labels": {"type": "object"}})},
)
STARTED_WITH = {"type": "object", "additionalProperties": TEXT}  # numbers as well: `num-cpus: "0"`
GROUP = an_object(
    {
        **{"groupName": TEXT, "rayStartParams": STARTED_WITH, "template": TEMPLATE},
        **dict.fromkeys(("replicas", "minReplicas", "maxReplicas"), NUMBER),
    }
)
# What KubeRay's definition of a RayService knows of the fields that are used here.
RAY_SERVICE = an_object(
    {
        "apiVersion": {"const": "ray.io/v1"},
        "kind": {"const": "RayService"},
        "metadata": an_object({"name": TEXT}),
        "spec": an_object(
            {
                "serveConfigV2": TEXT,
                "rayClusterConfig": an_object(
                    {
                        "rayVersion": TEXT,
                        "headGroupSpec": an_object({"rayStartParams": STARTED_WITH, "template": TEMPLATE}),
                        "workerGroupSpecs": many(GROUP),
                    },
                    {"enableInTreeAutoscaling": {"type": "boolean"}},
                ),
            }
        ),
    }
)
PAGES = an_object(
    {
        "apiVersion": {"const": "apps/v1"},
        "kind": {"const": "Deployment"},
        "metadata": an_object({"name": TEXT}),
        "spec": an_object(
            {"replicas": NUMBER, "selector": an_object({"matchLabels": {"type": "object"}}), "template": TEMPLATE}
        ),
    }
)


@pytest.fixture(scope="module")
def parts() -> list[dict[str, Any]]:
    """The service with the models, the pages, and their address."""
    return list(yaml.safe_load_all(MANIFEST.read_text(encoding="utf-8")))


def test_the_manifest_has_only_fields_that_kubernetes_and_kuberay_know(parts: list[dict[str, Any]]) -> None:
    schemas = pytest.importorskip("jsonschema", reason="needs jsonschema (gradio[mcp] brings it)")
    for part, schema in zip(parts, (RAY_SERVICE, PAGES), strict=False):
        schemas.validate(part, schema)
    with pytest.raises(schemas.ValidationError):
        schemas.validate({**parts[0], "spce": {}}, RAY_SERVICE)
    (_, pages, address) = parts
    assert address["spec"]["selector"] == pages["spec"]["selector"]["matchLabels"]
    assert pages["spec"]["template"]["metadata"]["labels"] == address["spec"]["selector"]


def test_every_family_is_served_by_what_the_program_makes_of_it(parts: list[dict[str, Any]]) -> None:
    config = yaml.safe_load(parts[0]["spec"]["serveConfigV2"])
    families = [one["args"]["family"] for one in config["applications"]]
    assert families == list(TASKS_OF_FAMILY)
    assert [one["name"] for one in config["applications"]] == [f"playground-{family}" for family in families]
    (path,) = {one["import_path"] for one in config["applications"]}
    module, _, function = path.partition(":")
    source = Path(importlib.util.find_spec(module.rpartition(".")[0]).origin).parent / f"{module.rpartition('.')[2]}.py"
    assert f"def {function}(" in source.read_text(encoding="utf-8")


def test_ray_itself_reads_the_families(parts: list[dict[str, Any]]) -> None:
    pytest.importorskip("ray", reason="needs Ray (requirements-ray.txt)")
    from ray.serve.schema import ServeDeploySchema

    from app.engine.ray.deployment import of_config

    config = ServeDeploySchema.model_validate(yaml.safe_load(parts[0]["spec"]["serveConfigV2"]))
    for one in config.applications:
        assert of_config(one.args)._bound_deployment.name == one.args["family"]


def test_versions_and_settings_are_those_of_the_program(parts: list[dict[str, Any]]) -> None:
    pins = (ROOT / "requirements-ray.txt").read_text(encoding="utf-8")
    assert f"ray[serve]=={parts[0]['spec']['rayClusterConfig']['rayVersion']} " in pins
    known = {PREFIX + name.upper() for name in Settings.__dataclass_fields__}
    named = set(re.findall(rf"\b{PREFIX}[A-Z_]+", MANIFEST.read_text(encoding="utf-8")))
    assert named and named <= known


def test_the_proxy_keeps_a_visit_with_one_page_process() -> None:
    text = PROXY.read_text(encoding="utf-8")
    assert f"map $cookie_{COOKIE} $visitor" in text and "hash $visitor consistent;" in text
    assert text.count("{") == text.count("}")
    assert "proxy_buffering off;" in text, "an answer that grows would come at its end"

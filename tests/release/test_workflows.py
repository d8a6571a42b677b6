"""The workflows ask for no more rights than they need, and try what the package says it is for."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.test_docs import RULES

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"
TEXTS = {path.stem: path.read_text("utf-8") for path in (GITHUB / "workflows").glob("*.yml")}
WORKFLOWS: dict[str, Any] = {name: yaml.safe_load(text) for name, text in TEXTS.items()}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ON = True
"""YAML 1.1 reads the key `on` as this."""


def jobs() -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (name, job, each) for name, flow in WORKFLOWS.items() for job, each in flow["jobs"].items()
    ]


@pytest.mark.parametrize("name", TEXTS)
def test_each_action_is_pinned_by_its_commit(name: str) -> None:
    used = re.findall(r"uses: (.+)", TEXTS[name])
    loose = [
        each for each in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each)
    ]
    assert used and [each for each in loose if not each.startswith("./")] == []


def test_one_action_has_one_commit_everywhere() -> None:
    used = set(re.findall(r"uses: ([\w/-]+)@(.+)", "\n".join(TEXTS.values())))
    assert len(used) == len({action for action, _ in used}) > 5


def test_what_writes_is_named_job_by_job_and_all_else_reads() -> None:
    assert [flow["permissions"] for flow in WORKFLOWS.values()] == [{"contents": "read"}] * 4
    own = {(name, job): each["permissions"] for name, job, each in jobs() if "permissions" in each}
    assert own == {
        ("docs", "online"): {"id-token": "write", "pages": "write"},
        ("publish", "publish"): {
            "attestations": "write",
            "contents": "read",
            "id-token": "write",
        },
    }


def test_no_job_goes_on_for_ever_or_keeps_what_it_checked_out_with() -> None:
    for name, job, each in jobs():
        assert "uses" in each or each["timeout-minutes"] <= 60, (name, job)
        for one in each.get("steps", []):
            if one.get("uses", "").startswith("actions/checkout@"):
                assert one["with"]["persist-credentials"] is False, (name, job)


def test_only_a_tag_is_published_and_only_what_was_built_and_tested_in_its_run() -> None:
    flow = WORKFLOWS["publish"]
    assert flow[ON] == {"push": {"tags": ["v*"]}}
    publish = flow["jobs"]["publish"]
    assert publish["environment"] == "release"
    assert publish["needs"] == ["tests", "build"]
    assert [flow["jobs"][name]["uses"] for name in publish["needs"]] == [
        "./.github/workflows/tests.yml",
        "./.github/workflows/build.yml",
    ]
    (loaded,) = (one for one in publish["steps"] if "download-artifact" in one["uses"])
    assert loaded["with"] == {"name": "dist", "path": "dist"}  # no other run's
    assert not re.search(r"password|secrets\.|https?:", TEXTS["publish"])


def test_every_system_and_python_is_tried() -> None:
    for name, job in (("tests", "tests"), ("build", "installed")):
        matrix = WORKFLOWS[name]["jobs"][job]["strategy"]["matrix"]
        systems = {system.partition("-")[0] for system in matrix["os"]}
        assert systems == {"ubuntu", "macos", "windows"}
        said = re.findall(r":: Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
        assert set(said) <= set(matrix["python"])
        assert PROJECT["requires-python"] == f">={matrix['python'][0]}"


@pytest.mark.parametrize("form", ["feature", "rule"])
def test_the_forms_offer_every_game(form: str) -> None:
    asked = yaml.safe_load((GITHUB / "ISSUE_TEMPLATE" / f"{form}.yml").read_text("utf-8"))["body"]
    (games,) = (part["attributes"] for part in asked if part["type"] == "dropdown")
    assert set(RULES.values()) <= set(games["options"])

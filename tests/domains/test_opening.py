from __future__ import annotations

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import domains
from domains import retail
from domains.core import records
from domains.core.domain import Domain
from tests.domains.retail.test_quirks import store


def folder_with(path: Path, content: Any) -> Path:
    (path / "db.json").write_text(json.dumps(content), encoding="utf-8")
    (path / "policy.md").write_text("# Policy", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["retail", "airline"])
def test_every_session_of_a_process_is_on_the_same_base(name: str) -> None:
    first, second = (domains.load(name).records() for _ in range(2))
    assert first.base is second.base


def test_a_domain_that_two_threads_ask_for_at_once_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, read = folder_with(tmp_path, store()), []
    load = retail.load

    def slowly(data: Path | None) -> Domain:
        read.append(data)
        time.sleep(0.05)
        return load(data)

    monkeypatch.setattr(retail, "load", slowly)
    with ThreadPoolExecutor(4) as threads:
        opened = list(threads.map(lambda _: domains.load("retail", folder), range(4)))
    assert read == [folder]
    assert all(domain.base is opened[0].base for domain in opened)


def test_opening_a_domain_takes_no_digest_and_reads_no_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_with(tmp_path, store())
    (folder / "tasks.json").write_text("this is read when somebody asks for it", encoding="utf-8")
    monkeypatch.setattr(records, "digest", None)
    assert domains.load("retail", folder).records().get("orders", "#W1")


def test_importing_the_domains_reads_no_records() -> None:
    script = """
import sys
opened = []
sys.addaudithook(lambda event, found: opened.append(str(found[0])) if event == "open" else None)
import domains, domains.core.ends, domains.core.reading, domains.retail, domains.airline
assert "pydantic" not in sys.modules
assert not [path for path in opened if path.endswith(".json")], opened
"""
    subprocess.run([sys.executable, "-c", script], check=True)

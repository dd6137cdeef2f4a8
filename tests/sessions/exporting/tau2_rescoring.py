"""Run where τ²-bench is installed: its evaluator scores each results file again that it is told."""

from __future__ import annotations

import json
import pickle
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def main() -> None:
    """Answer each path with a line of JSON: the reward in the file and the evaluator's, by run."""
    evaluator = import_module("tau2.evaluator.evaluator")
    import_module("loguru").logger.remove()
    _read_once(import_module("tau2.environment.db").DB)
    read = import_module("tau2.data_model.simulation").Results.load
    for path in sys.stdin:
        print(json.dumps(rescored(evaluator, read(Path(path.strip())))), flush=True)


def rescored(evaluator: Any, results: Any) -> list[tuple[float, float]]:
    """The two rewards of each run."""
    tasks = {task.id: task for task in results.tasks}
    rewards = []
    for run in results.simulations:
        again = evaluator.evaluate_simulation(
            simulation=run,
            task=tasks[run.task_id],
            evaluation_type=evaluator.EvaluationType.ALL,
            solo_mode=False,
            domain=results.info.environment_info.domain_name,
        )
        rewards.append((run.reward_info.reward, again.reward))
    return rewards


def _read_once(database: Any) -> None:
    """Have each file of records read and validated once; from then on copies are given out."""
    load, read = database.load.__func__, dict[Any, bytes]()

    def kept(of: Any, path: Any) -> Any:
        if (of, path) not in read:
            read[of, path] = pickle.dumps(load(of, path))
        return pickle.loads(read[of, path])

    database.load = classmethod(kept)


if __name__ == "__main__":
    main()

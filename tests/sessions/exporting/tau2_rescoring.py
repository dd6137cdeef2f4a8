"""Run where τ²-bench is installed: loads a results file and has its evaluator score it again."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path


def main() -> None:
    """Print, as JSON, the reward in the file and the evaluator's for each run."""
    evaluator = import_module("tau2.evaluator.evaluator")
    import_module("loguru").logger.remove()
    results = import_module("tau2.data_model.simulation").Results.load(Path(sys.argv[1]))
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
    sys.stdout.write(json.dumps(rewards))


if __name__ == "__main__":
    main()

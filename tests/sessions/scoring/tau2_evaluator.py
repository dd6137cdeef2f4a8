"""τ²-bench's evaluator, run apart: a line with a task and a conversation in, its verdicts out.

Run as ``python tau2_evaluator.py FOLDER`` in an environment that has ``tau2``; the folder holds
``retail/db.json`` and ``airline/db.json``. Its own classes judge; two things are ours, because
without them a case costs half a second. Its two environments of a domain are kept and put back
after use. And the hash of a database is put together from the text of its records, of which only
those that were reached for are written anew; a request with ``"check": true`` has the evaluator's
own hash computed as well, and compared.
"""

from __future__ import annotations

import hashlib
import json
import sys
import warnings
from importlib import import_module
from typing import Any

MODELS = {"retail": "RetailDB", "airline": "FlightDB"}


def main(folder: str) -> None:
    """Answer line by line, each on untouched records."""
    import_module("loguru").logger.remove()
    warnings.simplefilter("ignore")
    evaluator = Evaluator(folder)
    for line in sys.stdin:
        print(json.dumps(evaluator.answer(json.loads(line))), flush=True)


class Watched(dict[str, Any]):
    """A collection of records that notes which of them were reached for."""

    def __init__(self, records: dict[str, Any]) -> None:
        super().__init__(records)
        self.reached: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.reached.add(key)
        return super().__getitem__(key)

    def __setitem__(self, key: str, value: Any) -> None:
        self.reached.add(key)
        super().__setitem__(key, value)

    def get(self, key: str, default: Any = None) -> Any:
        self.reached.add(key)
        return super().get(key, default)


class Environments:
    """The two environments that an evaluation asks for, on untouched records every time."""

    def __init__(self, name: str, db_path: str) -> None:
        model = getattr(import_module(f"tau2.domains.{name}.data_model"), MODELS[name])
        get = import_module(f"tau2.domains.{name}.environment").get_environment
        self._untouched = model.load(db_path)
        self._names = sorted(model.model_fields)
        self._texts = {
            each: {
                key: _text(record.model_dump())
                for key, record in sorted(getattr(self._untouched, each).items())
            }
            for each in self._names
        }
        self._wholes = {name: _joined(texts) for name, texts in self._texts.items()}
        self._both = [get(db=model.load(db_path)) for _ in range(2)]
        for environment in self._both:
            database = environment.tools.db
            for each in self._names:
                setattr(database, each, Watched(getattr(database, each)))
            environment.tools.get_db_hash = lambda database=database: self.hash(database)
        self._next = 0
        self.check = False

    def __call__(self, solo_mode: bool = False) -> Any:
        """An environment, as the registry's constructor gives one."""
        environment = self._both[self._next % 2]
        self._next += 1
        self._put_back(environment.tools.db)
        return environment

    def hash(self, database: Any) -> str:
        """The hash of a whole database, as τ²-bench computes it."""
        parts = (f"{_text(name)}: {self._collection(database, name)}" for name in self._names)
        found = hashlib.sha256(f"{{{', '.join(parts)}}}".encode()).hexdigest()
        if self.check and found != database.get_hash():
            raise AssertionError("the hash is not τ²-bench's")
        return found

    def _collection(self, database: Any, name: str) -> str:
        records, texts = getattr(database, name), self._texts[name]
        anew = {key: _text(dict.__getitem__(records, key).model_dump())
                for key in records.reached if key in records}  # fmt: skip
        if all(texts.get(key) == text for key, text in anew.items()):
            return self._wholes[name]
        return _joined(dict(sorted({**texts, **anew}.items())))

    def _put_back(self, database: Any) -> None:
        for name in self._names:
            records, untouched = getattr(database, name), getattr(self._untouched, name)
            for key in records.reached:
                if key in untouched:
                    dict.__setitem__(records, key, untouched[key].model_copy(deep=True))
                else:
                    dict.pop(records, key, None)
            records.reached.clear()


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _joined(texts: dict[str, str]) -> str:
    return f"{{{', '.join(f'{_text(key)}: {text}' for key, text in texts.items())}}}"


class Evaluator:
    """τ²-bench's evaluation of conversations."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._environments: dict[str, Environments] = {}
        self._module = import_module("tau2.evaluator.evaluator")
        registry = import_module("tau2.registry").registry
        registry.get_env_constructor = self._environments_of
        self._task = import_module("tau2.data_model.tasks").Task
        self._run = import_module("tau2.data_model.simulation").SimulationRun
        self._check = import_module("tau2.data_model.simulation").NLAssertionCheck

    def _environments_of(self, name: str) -> Environments:
        if name not in self._environments:
            self._environments[name] = Environments(name, f"{self._folder}/{name}/db.json")
        return self._environments[name]

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The evaluator's verdicts; ``assertions`` says what its judge is to have said."""
        self._environments_of(asked["domain"]).check = asked["check"]
        kinds = self._module.EvaluationType
        self._module.NLAssertionsEvaluator.evaluate_nl_assertions = lambda trajectory, wanted: [
            self._check(nl_assertion=text, met=met, justification="")
            for text, met in zip(wanted, asked["assertions"], strict=True)
        ]
        found = self._module.evaluate_simulation(
            simulation=self._run.model_validate(asked["simulation"]),
            task=self._task.model_validate(asked["task"]),
            evaluation_type=kinds.ALL_WITH_NL_ASSERTIONS,
            solo_mode=False,
            domain=asked["domain"],
        )
        return {
            "reward": found.reward,
            "db": None if found.db_check is None else found.db_check.db_match,
            "said": [each.met for each in found.communicate_checks or ()],
            "actions": [each.action_match for each in found.action_checks or ()],
        }


if __name__ == "__main__":
    main(*sys.argv[1:])

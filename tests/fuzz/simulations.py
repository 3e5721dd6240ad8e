"""Extreme simulations: `python tests/fuzz/simulations.py --count N --seed S [--jobs J] [--keep DIR]`.

Cases are those of `extremes.py`, each the same for the same seed. They are simulated in processes of their own, so
that an abort or a hang of one is caught and named. The laws: no abort; no hang; no exception but CtrlGraphError; a
status that is one of the four, with finite measures unless the state diverged; finite energy and effort; the same
history twice; and the same bits after a snapshot in the middle. Exits with 1 where one is broken.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import math
import queue
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from extremes import KINDS, Case, case  # noqa: E402

CASE_S = 60.0
"""Wall time after which a case is a hang, s; it simulates at most 1500 steps, six times."""

START_S = 300.0
"""Wall time for a worker's first sign of life: its kernels may have to be compiled, s."""

BATCH = 25


@dataclasses.dataclass(frozen=True)
class Result:
    """What came of a case: a status, `refused`, or `broken` with the law that it broke."""

    number: int
    status: str
    why: str = ""


class Broken(Exception):
    """A law does not hold."""


# In the worker ---------------------------------------------------------------------------------------------------


def simulate(made: Case) -> str:
    """The status of a case; `refused` where it is not valid.

    Raises:
        Broken: a law does not hold.
    """
    from ctrlgraph.character.yaml_reader import load_character, parse_character
    from ctrlgraph.errors import CtrlGraphError
    from ctrlgraph.language.compiler import compile_script
    from ctrlgraph.language.library import ScriptLibrary

    try:
        shipped = HERE.parents[1] / "characters" / "humanoid.yaml"
        body = load_character(shipped) if made.character is None else parse_character(made.character)
        with tempfile.TemporaryDirectory() as directory:
            for name, text in made.scripts.items():
                (Path(directory) / name).write_text(text)
            library = ScriptLibrary([Path(directory)])
            program = compile_script(library, Path(directory) / "main.t", [], body)
        first, second = (_whole(made, body, program) for _ in range(2))
        if first != second:
            raise Broken(f"the same case ended twice in different ways: {first} and {second}")
        _in_halves(made, body, program)
        return first[0]
    except CtrlGraphError as error:
        return f"refused {str(error).splitlines()[0]}"


def _simulation(made: Case, body: Any) -> Any:
    import numpy as np

    from ctrlgraph.physics.world import WorldSettings
    from ctrlgraph.simulation import Push, Simulation, TorqueNoise
    from ctrlgraph.terrain import parse

    simulation = Simulation(body, parse(made.terrain, made.friction), settings=WorldSettings(**made.settings))
    simulation.reset(made.pose)
    noise = None
    if made.noise is not None:
        samples, seed, share = made.noise
        shares = np.random.default_rng(seed).uniform(-1, 1, (samples, len(body.joints))) * share
        noise = TorqueNoise(0.0, 0.05, shares)
    simulation.disturb([Push(*row) for row in made.pushes], noise, made.delay)
    return simulation


def _whole(made: Case, body: Any, program: Any) -> tuple[str, str]:
    """Status and history of an undivided run."""
    with _simulation(made, body) as simulation:
        timeout = made.steps * simulation.settings.dt
        outcome = simulation.run(program, cycles=made.cycles, timeout=timeout, bounds=made.bounds)
        check(outcome)
        return outcome.status.value, simulation.history_digest()


def _in_halves(made: Case, body: Any, program: Any) -> None:
    """Stop in the middle, keep the state, go on; then go on from what was kept, here and in another simulation."""
    from ctrlgraph.outcome import Status

    with _simulation(made, body) as simulation:
        half = max(1, made.steps // 2) * simulation.settings.dt
        outcome = simulation.run(program, cycles=made.cycles, timeout=half, bounds=made.bounds)
        check(outcome)
        if outcome.status is not Status.TIMEOUT:
            return  # it ended before, and cannot be resumed
        kept = simulation.snapshot()
        went_on = _rest(made, simulation, program, half)
        simulation.restore(kept)
        again = _rest(made, simulation, program, half)
        if again != went_on:
            raise Broken(f"restored to the middle, it went on in another way: {went_on}, then {again}")
    with _simulation(made, body) as other:
        other.restore(kept)
        elsewhere = _rest(made, other, program, half)
        if elsewhere != went_on:
            raise Broken(f"restored elsewhere, it went on in another way: {went_on}, then {elsewhere}")


def _rest(made: Case, simulation: Any, program: Any, half: float) -> tuple[str, str, str]:
    outcome = simulation.run(program, timeout=half, bounds=made.bounds, resume=True)
    check(outcome)
    return outcome.status.value, simulation.state_digest(), simulation.history_digest()


def check(outcome: Any) -> None:
    """
    Raises:
        Broken: the status is none of the four, or a number is not finite.
    """
    if outcome.status.value not in ("completed", "failed", "timeout", "diverged"):
        raise Broken(f"status {outcome.status.value}")
    sums = {"energy": outcome.energy_j, "effort": outcome.effort, "saturation": outcome.saturation}
    measured = {} if outcome.status.value == "diverged" else outcome.measures
    for name, value in {**sums, "simulated": outcome.simulated_s, **measured}.items():
        if not math.isfinite(value):
            raise Broken(f"{name} is {value} where the status is {outcome.status.value}")


def work(seed: int, first: int, last: int) -> None:
    """Do the cases first..last - 1; each is announced, so that whoever listens knows which one ended the process."""
    print("ready", flush=True)
    for number in range(first, last):
        print(json.dumps({"begin": number}), flush=True)
        print(json.dumps(dataclasses.asdict(judged(seed, number))), flush=True)


def judged(seed: int, number: int) -> Result:
    """The result of a case; whatever it raises is one."""
    try:
        status, _, why = simulate(case(seed, number)).partition(" ")
        return Result(number, status, why)
    except Broken as broken:
        return Result(number, "broken", str(broken))
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}:{place.lineno}"
        return Result(number, "broken", f"{type(error).__name__}: {error} ({where})")


# Around the workers ----------------------------------------------------------------------------------------------


def run_batch(seed: int, first: int, last: int, worker: Sequence[str] = (), case_s: float = CASE_S) -> list[Result]:
    """The results of the cases first..last - 1, in as many processes as it takes.

    Args:
        worker: the command before the batch's three numbers.
        case_s: wall time that a case may take, s.
    """
    command = worker or (sys.executable, str(HERE / "simulations.py"), "--work")
    results: list[Result] = []
    while first + len(results) < last:
        results += _one_process(command, (seed, first + len(results), last), case_s)
    return results


def _one_process(command: Sequence[str], batch: tuple[int, int, int], case_s: float) -> list[Result]:
    """Results of a process up to its end; the last one is what ended it, where it ended early."""
    process = subprocess.Popen(
        [*command, *map(str, batch)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    lines: queue.Queue[str | None] = queue.Queue()
    listener = threading.Thread(target=_listen, args=(process, lines), daemon=True)
    listener.start()
    results, running, patience = [], batch[1], START_S
    try:
        while len(results) < batch[2] - batch[1]:
            line = lines.get(timeout=patience)
            if line is None:
                code = process.wait()
                return [*results, Result(running, "broken", f"its process ended with {code}")]
            said = json.loads(line) if line.startswith("{") else {}
            running, patience = said.get("begin", running), case_s
            if "status" in said:
                results.append(Result(**said))
                running += 1
    except queue.Empty:
        results.append(Result(running, "broken", f"no end after {patience:g} s"))
    finally:
        process.kill()
        process.wait()
        listener.join()
    return results


def _listen(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
    assert process.stdout is not None
    with process.stdout as said:
        for line in said:
            lines.put(line)
    lines.put(None)


def keep(directory: Path, seed: int, result: Result) -> None:
    """Write a case that broke a law: its scripts and character as files, the rest as JSON."""
    made = case(seed, result.number)
    place = directory / f"{seed}-{result.number}"
    place.mkdir(parents=True, exist_ok=True)
    for name, text in made.scripts.items():
        (place / name).write_text(text)
    if made.character is not None:
        (place / "character.yaml").write_text(made.character)
    rest = dataclasses.asdict(made) | {"why": result.why}
    (place / "case.json").write_text(json.dumps(rest, indent=1))


def figures(results: Sequence[Result]) -> str:
    """How many of each kind ended in which way."""
    columns = ("completed", "failed", "timeout", "diverged", "refused", "broken")
    lines = [f"{'kind':12}{'cases':>8}" + "".join(f"{name:>11}" for name in columns)]
    for k, kind in enumerate(KINDS):
        mine = collections.Counter(r.status for r in results if r.number % len(KINDS) == k)
        lines.append(f"{kind:12}{mine.total():8}" + "".join(f"{mine[name]:11}" for name in columns))
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Extreme simulations, and the laws that have to hold in them.")
    parser.add_argument("--count", type=int, default=300, help="simulations (300)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed makes the same simulations (0)")
    parser.add_argument("--jobs", type=int, default=1, help="processes at once (1)")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the cases that broke a law")
    parser.add_argument("--work", type=int, nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.work:
        work(*asked.work)
        return 0
    began = time.perf_counter()
    batches = [(first, min(first + BATCH, asked.count)) for first in range(0, asked.count, BATCH)]
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        done = pool.map(lambda batch: run_batch(asked.seed, *batch), batches)
        results = [result for batch in done for result in batch]
    print(figures(results))
    broken = [result for result in results if result.status == "broken"]
    for result in broken:
        print(f"case {result.number} ({KINDS[result.number % len(KINDS)]}): {result.why}")
        if asked.keep is not None:
            keep(asked.keep, asked.seed, result)
    laws = "all laws hold" if not broken else f"{len(broken)} broke a law"
    print(f"{len(results)} simulations, seed {asked.seed}, {time.perf_counter() - began:.0f} s: {laws}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

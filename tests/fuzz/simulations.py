"""Extreme simulations.

    python tests/fuzz/simulations.py --count 1000 --seed 1 --jobs 2 --keep kept

Cases are those of `extremes.py`, each the same for the same seed. The laws: no abort; no hang; no exception but
CtrlGraphError; a status that is one of the four, with finite measures unless the state diverged; finite energy and
effort; the same history twice; and the same bits after a snapshot in the middle.
"""

from __future__ import annotations

import dataclasses
import json
import math
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    # As pytest has it, so that this directory's names hide no modules.
    sys.path[:1] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parents[1])]

from fuzz.extremes import Case, case
from fuzz.harness import Limits, Verdict, main

ROOT = Path(__file__).resolve().parents[2]

CASE_S = 60.0
"""Seconds of computing after which a case is a hang; it simulates at most 1500 steps, six times."""


class Broken(Exception):
    """A law does not hold."""


def simulate(made: Case) -> str:
    """The status of a case; `refused` where it is not valid.

    Raises:
        Broken: a law does not hold.
    """
    from ctrlgraph.character.yaml_reader import load_character, parse_character
    from ctrlgraph.control.script.compiler import compile_script
    from ctrlgraph.control.script.library import ScriptLibrary
    from ctrlgraph.errors import CtrlGraphError

    try:
        shipped = ROOT / "characters" / "humanoid.yaml"
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

    from ctrlgraph.engine.engine import ENGINES
    from ctrlgraph.simulation.simulation import Push, Simulation, TorqueNoise
    from ctrlgraph.terrain.words import parse

    settings = ENGINES[made.engine].settings(**made.settings)
    simulation = Simulation(body, parse(made.terrain, made.friction), engine=made.engine, settings=settings)
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
    from ctrlgraph.simulation.outcome import Status

    with _simulation(made, body) as simulation:
        half = max(1, made.steps // 2) * simulation.settings.dt
        outcome = simulation.run(program, cycles=made.cycles, timeout=half, bounds=made.bounds)
        check(outcome)
        if outcome.status is not Status.TIMEOUT:
            return  # it ended before, and cannot be resumed
        kept = simulation.snapshot()
        continued = _rest(made, simulation, program, half)
        simulation.restore(kept)
        again = _rest(made, simulation, program, half)
        if again != continued:
            raise Broken(f"restored to the middle, it went on in another way: {continued}, then {again}")
    with _simulation(made, body) as other:
        other.restore(kept)
        elsewhere = _rest(made, other, program, half)
        if elsewhere != continued:
            raise Broken(f"restored elsewhere, it went on in another way: {continued}, then {elsewhere}")


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


def attempt(seed: int, number: int) -> Verdict:
    """The verdict of a case; whatever it raises is one."""
    made = case(seed, number)
    try:
        return Verdict(f"{made.kind}: {simulate(made).partition(' ')[0]}")
    except Broken as broken:
        why = str(broken)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
    return Verdict(f"{made.kind}: broken", why, material(made))


def material(made: Case) -> dict[str, bytes]:
    """A case as files: its scripts and character, and everything as JSON."""
    texts = {**made.scripts, "case.json": json.dumps(dataclasses.asdict(made), indent=1)}
    if made.character is not None:
        texts["character.yaml"] = made.character
    return {name: text.encode() for name, text in texts.items()}


def prepare(count: int) -> None:
    """Compile the kernels before any clock runs."""
    simulate(case(0, 0))


if __name__ == "__main__":
    sys.exit(main("simulations", attempt, limits=Limits(CASE_S), prepare=prepare))

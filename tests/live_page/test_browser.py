"""The live page in a real browser."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from browser import Watched

from ctrlgraph import compilation
from ctrlgraph.live_page import script_commands
from ctrlgraph.project.project import Project


def ended(page: Watched) -> None:
    """Wait until the motion after the last change is complete."""
    state = "() => { const { state, version, present } = ctrlgraphLive;"
    page.until(state + " return state?.ended != null && state.version >= version && present.samples > 50; }")


def poses(page: Watched) -> list[float]:
    """Return the positions of the chest."""
    script = "() => { const p = ctrlgraphLive.present, of = p.signal('x.uTorso');"
    found: list[float] = page.evaluate(script + " return Array.from({length: p.samples}, (_, i) => of(i)); }")
    return found


def knee(page: Watched) -> float:
    script = "() => { const p = ctrlgraphLive.present, of = p.signal('angle.rKnee');"
    found: float = page.evaluate(script + " return Math.max(...Array.from({length: p.samples}, (_, i) => of(i))); }")
    return found


def open_script(page: Watched, name: str) -> None:
    page.page.select_option("#scripts", f"controllers/{name}.t")
    page.until(
        "(path) => ctrlgraphLive.path === path && document.querySelector('#constants .constant')",
        f"controllers/{name}.t",
    )


def set_slider(page: Watched, words: str, value: float) -> str:
    """Drag the first slider whose name contains some words to a value and return its id."""
    page.page.fill("#filter", words)
    script = """([words, value]) => {
      const row = [...document.querySelectorAll('.constant')].find((each) => !each.hidden);
      const slider = row.querySelector('input[type=range]');
      slider.value = value;
      slider.dispatchEvent(new Event('input', {bubbles: true}));
      slider.dispatchEvent(new Event('change', {bubbles: true}));
      return slider.dataset.id;
    }"""
    found: str = page.evaluate(script, [words, value])
    return found


@pytest.fixture
def page(live: str, open_page: Callable[..., Watched]) -> Watched:
    """Open the live page and wait for the end of its motion."""
    opened = open_page(live, viewport={"width": 1280, "height": 900})
    ended(opened)
    return opened


def test_the_page_plays_and_scrubs_without_external_requests(page: Watched) -> None:
    page.until("() => ctrlgraphLive.player.playing && ctrlgraphLive.player.time > 0.2")  # it plays at once
    page.page.focus("#figure")
    page.page.keyboard.press(" ")
    assert not page.evaluate("() => ctrlgraphLive.player.playing")
    page.page.locator(".cg-slider").fill("0.5")
    assert page.evaluate("() => ctrlgraphLive.player.time") == pytest.approx(0.5, abs=0.02)
    page.page.keyboard.press("ArrowRight")
    before = page.evaluate("() => ctrlgraphLive.player.time")
    page.page.locator(".cg-lane").nth(1).click(position={"x": 300, "y": 10})
    assert page.evaluate("() => ctrlgraphLive.player.time") > before
    script = "() => ctrlgraphLive.present.placeAt(ctrlgraphLive.present.indexAt(ctrlgraphLive.player.time)).script"
    page.until(f"() => ctrlgraphLive.path === ({script})()")  # a phase shows its lines
    page.until("() => document.querySelectorAll('.line.lit').length > 3")
    assert page.errors == []
    origin = page.requests[0].split("#")[0]
    assert all(each.startswith(origin) or each.startswith("ws://127.0.0.1") for each in page.requests)


def check_that_an_error_keeps_the_old_motion(page: Watched, small: Project) -> None:
    """An error is shown at its position, and the old motion continues."""
    open_script(page, "squat")
    before, file = poses(page), small.directory / "controllers" / "squat.t"
    good = file.read_text()
    found = re.search(r"rKnee\([\d.]+\)", good)
    assert found is not None
    knee = found[0]
    page.page.locator("#editor textarea").fill(good.replace(knee, "rKnees(2)", 1))
    page.until("() => document.querySelector('.line.error .lens')")
    line = page.evaluate(
        "() => [...document.querySelectorAll('.line')].findIndex((l) => l.classList.contains('error')) + 1"
    )
    assert line == 1 + good.split("\n").index(next(each for each in good.split("\n") if knee in each))
    assert "rKnees" in page.page.locator("#findings button").first.inner_text()
    page.evaluate("() => { ctrlgraphLive.player.seek(0); ctrlgraphLive.player.play(); }")
    page.until("() => ctrlgraphLive.player.time > 0.1")
    assert poses(page) == before
    assert file.read_text() == good
    version = page.evaluate("() => ctrlgraphLive.version")
    page.page.locator("#editor textarea").fill(good.replace(knee, "rKnee(1.2)", 1))
    page.until("(last) => !document.querySelector('.line.error') && ctrlgraphLive.version > last", version)
    ended(page)
    assert poses(page) != before
    page.until("() => ctrlgraphLive.others.get('ghost')?.samples > 50")  # the old motion as a ghost
    page.page.keyboard.press("Control+s")
    page.until("() => document.querySelector('#save').disabled")
    assert "rKnee(1.2)" in file.read_text()


def check_that_a_slider_is_written_back(page: Watched, small: Project) -> None:
    """A slider changes the motion, and writing it back changes only its number."""
    open_script(page, "squat")
    file = small.directory / "controllers" / "squat.t"
    before, bent = file.read_text(), knee(page)
    set_slider(page, "rKnee angle", 1.5)
    page.until("() => Object.keys(ctrlgraphLive.state.values).length === 1 && ctrlgraphLive.version > 1")
    ended(page)
    assert knee(page) < bent - 0.1
    assert file.read_text() == before
    page.page.click("#write")
    page.until("() => Object.keys(ctrlgraphLive.state.values).length === 0")
    value = re.search(r"rKnee\(([\d.]+)\)\.time\(time\)", file.read_text())
    assert value is not None and float(value[1]) == pytest.approx(1.5, abs=0.05)
    assert file.read_text() == before.replace("rKnee(2)", f"rKnee({value[1]})", 1)
    ended(page)


def check_undo_and_redo_of_a_slider(page: Watched) -> None:
    """A change is undone, redone and undone."""
    open_script(page, "squat")
    bent = knee(page)
    set_slider(page, "rKnee angle", 1.5)
    page.until("() => ctrlgraphLive.state.undo === 1")
    ended(page)
    page.page.click("#undo")
    page.until("() => ctrlgraphLive.state.redo === 1")
    ended(page)
    assert knee(page) == pytest.approx(bent)
    page.page.click("#redo")
    page.until("() => ctrlgraphLive.state.undo === 1")
    ended(page)
    assert knee(page) < bent - 0.1
    page.page.click("#undo")
    page.until("() => ctrlgraphLive.state.undo === 0")
    ended(page)


def check_that_a_push_can_be_removed(page: Watched) -> None:
    """A link is pushed with the mouse, and the push is removed."""
    page.evaluate("() => { ctrlgraphLive.player.pause(); ctrlgraphLive.player.seek(0.6); }")
    before = poses(page)
    script = """() => { const { present: p, figure, player } = ctrlgraphLive, pose = p.pose(player.time);
      const k = p.body.links.findIndex((each) => each.name === 'uTorso');
      return figure.pageOf(pose.x[k], pose.y[k]); }"""
    x, y = page.evaluate(script)
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(x + 120, y, steps=4)
    page.page.mouse.up()
    page.until("() => ctrlgraphLive.state.events.length === 1")
    ended(page)
    event = page.evaluate("() => ctrlgraphLive.state.events[0]")
    assert event["push"] == "uTorso" and event["x"] > 50 and event["time"] == pytest.approx(0.6, abs=0.02)
    after = poses(page)
    assert after[:60] == pytest.approx(before[:60], abs=1e-3)
    assert max(after[60:120]) > max(before[60:120]) + 0.01
    page.page.click("#calm")
    page.until("() => ctrlgraphLive.state.events.length === 0")
    ended(page)
    assert poses(page) == pytest.approx(before, abs=1e-3)


def check_that_a_variant_can_be_restored(page: Watched) -> None:
    """A variant is kept, shown next to the motion, and restored."""
    open_script(page, "squat")
    bent = knee(page)
    page.page.get_by_role("tab", name="Variants").click()
    page.page.click("#keep")
    page.until("() => ctrlgraphLive.others.get('variant:1')?.samples === ctrlgraphLive.present.samples")
    set_slider(page, "rKnee angle", 1.5)
    page.until("() => Object.keys(ctrlgraphLive.state.values).length === 1")
    ended(page)
    assert knee(page) < bent - 0.1
    page.page.check("#side")
    assert page.page.locator("#side-by-side canvas").count() == 1
    page.page.get_by_role("button", name=re.compile("Restore")).click()
    page.until("() => Object.keys(ctrlgraphLive.state.values).length === 0")
    ended(page)
    assert knee(page) == pytest.approx(bent)


@pytest.mark.slow
def test_editing_sliders_and_writing_back(page: Watched, small: Project) -> None:
    check_that_a_slider_is_written_back(page, small)
    check_that_an_error_keeps_the_old_motion(page, small)


@pytest.mark.slow
def test_undo_of_sliders_pushes_and_variants(page: Watched) -> None:
    check_undo_and_redo_of_a_slider(page)
    check_that_a_push_can_be_removed(page)
    check_that_a_variant_can_be_restored(page)


@pytest.mark.slow
def test_the_status_is_shown_and_controls_are_disabled_while_waiting(
    live: str, open_page: Callable[..., Watched]
) -> None:
    page = open_page("about:blank")
    page.page.route_web_socket("**/live", lambda socket: None)  # a server that sends nothing
    page.page.goto(live)
    page.until("() => document.querySelector('#status').textContent.startsWith('Connecting')")
    assert not page.evaluate("() => document.querySelector('#status').classList.contains('bad')")
    for control in ("#names", "#slope", "#scripts", "#save", "#undo", ".cg-slider", "#layer-trail", "#random"):
        assert page.page.locator(control).is_disabled(), control
    assert page.evaluate("() => document.querySelector('.cg-lane').clientHeight") < 40
    opened = open_page(live)
    ended(opened)
    opened.until("() => document.querySelector('#status').textContent === ''")
    assert opened.page.locator("#names").is_enabled() and opened.page.locator(".cg-slider").is_enabled()
    compilation.began()
    try:
        opened.until("() => document.querySelector('#status').textContent.startsWith('Compiling')")
    finally:
        compilation.ended()
    opened.until("() => document.querySelector('#status').textContent === ''")


@pytest.mark.slow
def test_a_script_saved_by_another_editor_updates_the_motion(page: Watched, small: Project) -> None:
    open_script(page, "squat")
    before, file = poses(page), small.directory / "controllers" / "squat.t"
    file.write_text(file.read_text().replace("rKnee(2)", "rKnee(1.4)"))
    page.until(
        "() => ctrlgraphLive.version > 1 && document.querySelector('#editor textarea').value.includes('rKnee(1.4)')"
    )
    ended(page)
    assert poses(page) != before


@pytest.mark.slow
def test_the_page_continues_after_a_server_restart(
    serve: Callable[..., Any], open_page: Callable[..., Watched], small: Project
) -> None:
    served = serve("stand", "squat")
    page = open_page(served.address, viewport={"width": 1280, "height": 900})
    ended(page)
    open_script(page, "squat")
    good = (small.directory / "controllers" / "squat.t").read_text()
    page.page.locator("#editor textarea").fill(good.replace("rKnee(2)", "rKnee(1.4)"))
    page.until("() => ctrlgraphLive.version > 1")
    ended(page)
    before = poses(page)
    served.kill()
    page.until("() => document.documentElement.dataset.connected === 'no'")
    mended = good.replace("rKnee(2)", "rKnee(1.4)") + "# written while there was no server\n"
    page.page.locator("#editor textarea").fill(mended)
    served.start()
    page.until("() => document.documentElement.dataset.connected === 'yes'")
    ended(page)
    assert poses(page) == pytest.approx(before, abs=1e-9)
    assert page.page.locator("#editor textarea").input_value() == mended
    # the page sends its text after the new server's script has arrived; a save before that is not repeated
    page.until("() => { const save = document.querySelector('#save'); save.click(); return save.disabled; }")
    assert (small.directory / "controllers" / "squat.t").read_text() == mended
    assert served.interrupt() == 0


@pytest.mark.slow
def test_nothing_is_cut_off_at_any_width(live: str, open_page: Callable[..., Watched]) -> None:
    for width, scheme in ((390, "light"), (390, "dark"), (1280, "dark"), (1920, "light")):
        page = open_page(live, viewport={"width": width, "height": 900}, color_scheme=scheme)
        ended(page)
        assert page.evaluate("() => document.documentElement.scrollWidth") == width
        assert page.errors == []


def shown(page: Watched, selector: str) -> str:
    found: str = page.page.locator(selector).inner_text()
    return found


@pytest.fixture
def spring(open_live: Callable[..., str], open_page: Callable[..., Watched]) -> Watched:
    """Open the page of the spring, whose script calls another one."""
    opened = open_page(open_live("stand", "spring"), viewport={"width": 1280, "height": 900})
    ended(opened)
    return opened


@pytest.mark.slow
def test_a_program_of_several_files_is_edited_as_one(
    spring: Watched, small: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The called script is shown, files can be switched, and constants of both are written back and undone."""
    spring.until("() => ctrlgraphLive.path === 'controllers/straighten.t'")
    spring.until("() => document.querySelectorAll('#files button').length === 2")
    directory = small.directory / "controllers"
    before = {name: (directory / name).read_text() for name in ("spring.t", "straighten.t")}
    spring.page.get_by_role("button", name="spring.t", exact=True).click()
    spring.until("() => ctrlgraphLive.path === 'controllers/spring.t'")
    spring.until("() => document.querySelector('#editor textarea').value.includes('BEGINSCRIPT spring')")
    spring.until("() => document.querySelectorAll('.constant').length > 10")
    bent = knee(spring)
    set_slider(spring, "straighten.t rKnee angle", 0.4)
    set_slider(spring, "spring.t", 0.3)
    spring.until("() => Object.keys(ctrlgraphLive.state.values).length === 2")  # the server has both
    spring.until("() => document.querySelector('#write').textContent === 'Write back (2)'")
    ended(spring)
    spring.page.click("#write")
    spring.until("() => document.querySelector('#undo').title.startsWith('Undo: write back')")
    assert all((directory / name).read_text() != text for name, text in before.items())
    ended(spring)
    assert knee(spring) != pytest.approx(bent, abs=1e-6)
    area = spring.page.locator("#editor textarea")
    area.focus()
    spring.page.keyboard.press("Control+End")
    monkeypatch.setattr(script_commands, "_UNDO_PAUSE_S", math.inf)  # slow typing is one change, too
    spring.page.keyboard.type("# typed")
    spring.page.keyboard.press("Control+z")  # the focus is in the text
    spring.until("() => !document.querySelector('#editor textarea').value.includes('typed')")
    spring.page.keyboard.press("Control+z")
    spring.until("() => document.querySelector('#undo').title.startsWith('Undo: constants')")
    shown = "(text) => document.querySelector('#editor textarea').value === text"
    spring.until(shown, before["spring.t"])
    for _ in range(2):
        spring.page.click("#undo")
    spring.until("() => ctrlgraphLive.state.undo === 0")
    ended(spring)
    assert knee(spring) == pytest.approx(bent)


@pytest.mark.slow
def test_another_motion_plays_and_its_text_matches_the_lanes(page: Watched) -> None:
    page.until("() => ctrlgraphLive.player.playing")
    page.page.fill("#names", "stand spring stand squat")
    page.page.keyboard.press("Enter")
    page.until("() => ctrlgraphLive.state.target.names.length === 4")
    page.until("() => ctrlgraphLive.player.playing && ctrlgraphLive.player.time > 0.3")
    ended(page)
    page.evaluate("() => { ctrlgraphLive.player.pause(); ctrlgraphLive.player.seek(0.4); }")
    assert shown(page, "#outcome .now").startswith("stand")
    page.page.click("#random")
    page.until("() => ctrlgraphLive.state.walking && ctrlgraphLive.state.segments.length > 2")
    assert "not logged" in shown(page, "#outcome")
    page.page.click("#stay")  # later segments are removed, also from the lanes
    page.until("() => !ctrlgraphLive.state.walking && ctrlgraphLive.state.ended != null")
    names = "() => ctrlgraphLive.present.stretches('visit').map((each) => each.place.node)"
    assert page.evaluate(names) == ["stand"] == page.evaluate("() => ctrlgraphLive.state.segments.map((s) => s.name)")
    page.until("() => document.querySelector('#outcome').innerText === 'stand ✓; success'")


@pytest.mark.slow
def test_line_ends_survive_editing(page: Watched, small: Project) -> None:
    file = small.directory / "controllers" / "squat.t"
    text = file.read_bytes().replace(b"\n", b"\r\n")
    file.write_bytes(text)
    open_script(page, "squat")
    page.until("() => document.querySelector('#save').disabled")  # opening changes nothing
    page.page.locator("#editor textarea").press("Control+End")
    page.page.keyboard.type("# later")
    page.until("() => ctrlgraphLive.state.undoes === 'text of squat.t'")
    page.page.keyboard.press("Control+s")
    page.until("() => document.querySelector('#save').disabled")
    assert file.read_bytes() == text + b"# later"


@pytest.mark.slow
def test_a_file_changed_elsewhere_is_offered_beside_unsaved_text(page: Watched, small: Project) -> None:
    open_script(page, "squat")
    file, area = small.directory / "controllers" / "squat.t", page.page.locator("#editor textarea")
    text = file.read_text()
    area.fill(text + "# mine")
    page.until("() => !document.querySelector('#save').disabled && ctrlgraphLive.state.undo === 1")
    file.write_text(text + "# theirs")
    page.page.locator("#conflict").wait_for(state="visible")
    assert "another program has changed the file" in shown(page, "#conflict")
    assert area.input_value() == text + "# mine"
    page.page.click("#theirs")
    page.until("(text) => document.querySelector('#editor textarea').value === text", text + "# theirs")


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1920])
def test_the_whole_graph_is_shown_with_its_legend(live: str, open_page: Callable[..., Watched], width: int) -> None:
    page = open_page(live, viewport={"width": width, "height": 900})
    page.until("() => document.querySelectorAll('#graph .cg-node').length === 3")
    page.until("""() => { const box = document.querySelector('#graph > svg').getBoundingClientRect();
      return [...document.querySelectorAll('#graph .cg-node .cg-shape')].every((each) => {
        const own = each.getBoundingClientRect();
        return own.left >= box.left && own.right <= box.right && own.top >= box.top
          && own.bottom <= box.bottom; }); }""")
    legend = shown(page, ".cg-legend")
    assert "never tried" in legend and "dynamic motion" in legend and "succeeded" not in legend

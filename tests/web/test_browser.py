"""The live page in a real browser."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from browser import Watched

from ctrlgraph import compilation
from ctrlgraph.project.project import Project
from ctrlgraph.web import script_commands


def ended(page: Watched) -> None:
    """Wait until the motion is at its end, the one after the last change."""
    state = "() => { const { state, version, present } = ctrlgraphLive;"
    page.until(state + " return state?.ended != null && state.version >= version && present.samples > 50; }")


def poses(page: Watched) -> list[float]:
    """Where the chest is, sample by sample."""
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
    """Draw the first slider whose name has these words to a value; returns its id."""
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
    """The live page, its motion at its end."""
    opened = open_page(live, viewport={"width": 1280, "height": 900})
    ended(opened)
    return opened


def test_it_opens_plays_and_is_scrubbed_and_asks_nobody_else_for_anything(page: Watched) -> None:
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


def error_leaves_the_old_motion(page: Watched, small: Project) -> None:
    """An error is shown in its place, and the old motion goes on."""
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


def slider_is_written_back(page: Watched, small: Project) -> None:
    """A slider changes the motion, and writing it back changes that number alone."""
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


def slider_is_undone(page: Watched) -> None:
    """What was changed is undone, done again and undone."""
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


def push_is_calmed(page: Watched) -> None:
    """A link is pushed with the mouse, and left in peace again."""
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


def variant_is_gone_back_to(page: Watched) -> None:
    """A motion is kept, seen beside another one, and gone back to."""
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
    assert page.page.locator("#beside canvas").count() == 1
    page.page.get_by_role("button", name=re.compile("Go back to it")).click()
    page.until("() => Object.keys(ctrlgraphLive.state.values).length === 0")
    ended(page)
    assert knee(page) == pytest.approx(bent)


@pytest.mark.slow
def test_a_script_is_typed_drawn_and_written_back(page: Watched, small: Project) -> None:
    slider_is_written_back(page, small)
    error_leaves_the_old_motion(page, small)


@pytest.mark.slow
def test_what_was_changed_is_taken_back(page: Watched) -> None:
    slider_is_undone(page)
    push_is_calmed(page)
    variant_is_gone_back_to(page)


@pytest.mark.slow
def test_it_says_what_it_waits_for_and_offers_nothing_meanwhile(live: str, open_page: Callable[..., Watched]) -> None:
    page = open_page("about:blank")
    page.page.route_web_socket("**/live", lambda socket: None)  # a server that takes the call and says nothing
    page.page.goto(live)
    page.until("() => document.querySelector('#status').textContent.startsWith('Connecting')")
    assert not page.evaluate("() => document.querySelector('#status').classList.contains('bad')")
    for control in ("#names", "#slope", "#scripts", "#save", "#undo", ".cg-slider", "#layer-trail", "#random"):
        assert page.page.locator(control).is_disabled(), control
    assert page.evaluate("() => document.querySelector('.cg-lane').clientHeight") < 40
    told = open_page(live)
    ended(told)
    told.until("() => document.querySelector('#status').textContent === ''")
    assert told.page.locator("#names").is_enabled() and told.page.locator(".cg-slider").is_enabled()
    compilation.began()
    try:
        told.until("() => document.querySelector('#status').textContent.startsWith('Compiling')")
    finally:
        compilation.ended()
    told.until("() => document.querySelector('#status').textContent === ''")


@pytest.mark.slow
def test_a_script_that_is_saved_by_another_editor_moves_at_once(page: Watched, small: Project) -> None:
    open_script(page, "squat")
    before, file = poses(page), small.directory / "controllers" / "squat.t"
    file.write_text(file.read_text().replace("rKnee(2)", "rKnee(1.4)"))
    page.until(
        "() => ctrlgraphLive.version > 1 && document.querySelector('#editor textarea').value.includes('rKnee(1.4)')",
    )
    ended(page)
    assert poses(page) != before


@pytest.mark.slow
def test_it_goes_on_after_the_server_was_killed_and_started_again(
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
    page.page.keyboard.press("Control+s")
    page.until("() => document.querySelector('#save').disabled")
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
    """A page of the spring, whose script calls another one."""
    opened = open_page(open_live("stand", "spring"), viewport={"width": 1280, "height": 900})
    ended(opened)
    return opened


@pytest.mark.slow
def test_a_program_of_several_files_is_edited_as_one(
    spring: Watched, small: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The called script is shown, its files are changed between, and constants of both are written back and undone."""
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
    monkeypatch.setattr(script_commands, "_PAUSE_S", math.inf)  # however slowly it is typed, it is one change
    spring.page.keyboard.type("# typed")
    spring.page.keyboard.press("Control+z")  # in the text: what was typed
    spring.until("() => !document.querySelector('#editor textarea').value.includes('typed')")
    spring.page.keyboard.press("Control+z")
    spring.until("() => document.querySelector('#undo').title.startsWith('Undo: constants')")
    assert {name: (directory / name).read_text() for name in before} == before
    for _ in range(2):
        spring.page.click("#undo")
    spring.until("() => ctrlgraphLive.state.undo === 0")
    ended(spring)
    assert knee(spring) == pytest.approx(bent)


@pytest.mark.slow
def test_another_motion_plays_on_and_the_words_are_those_of_the_lanes(page: Watched) -> None:
    page.until("() => ctrlgraphLive.player.playing")
    page.page.fill("#names", "stand spring stand squat")
    page.page.keyboard.press("Enter")
    page.until("() => ctrlgraphLive.state.target.names.length === 4")
    page.until("() => ctrlgraphLive.player.playing && ctrlgraphLive.player.time > 0.3")
    ended(page)
    page.evaluate("() => { ctrlgraphLive.player.pause(); ctrlgraphLive.player.seek(0.4); }")
    assert shown(page, "#told .now").startswith("stand")
    page.page.click("#random")
    page.until("() => ctrlgraphLive.state.walking && ctrlgraphLive.state.segments.length > 2")
    assert "not logged" in shown(page, "#told")
    page.page.click("#stay")  # the motion ends with the stand: what came after it is gone, from the lanes, too
    page.until("() => !ctrlgraphLive.state.walking && ctrlgraphLive.state.ended != null")
    names = "() => ctrlgraphLive.present.stretches('visit').map((each) => each.place.node)"
    assert page.evaluate(names) == ["stand"] == page.evaluate("() => ctrlgraphLive.state.segments.map((s) => s.name)")
    page.until("() => document.querySelector('#told').innerText === 'stand ✓; success'")


@pytest.mark.slow
def test_variants_side_by_side_are_at_the_moment_of_the_clock_while_it_stands(page: Watched) -> None:
    page.evaluate("() => { ctrlgraphLive.player.pause(); ctrlgraphLive.player.seek(1.2); }")
    page.page.get_by_role("tab", name="Variants").click()
    page.page.click("#keep")
    page.until("() => ctrlgraphLive.others.get('variant:1')?.samples > 50")
    page.page.check("#side")
    page.next_frame()
    pixels = "(canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.join()"
    beside = page.page.locator("#beside canvas")
    paused = beside.evaluate(pixels)
    page.evaluate("() => ctrlgraphLive.player.seek(0)")
    assert beside.evaluate(pixels) != paused
    page.evaluate("() => ctrlgraphLive.player.seek(1.2)")
    assert beside.evaluate(pixels) == paused


@pytest.mark.slow
def test_of_two_pages_that_write_a_constant_the_later_is_told_in_its_page(
    page: Watched, live: str, small: Project, open_page: Callable[..., Watched]
) -> None:
    late = open_page("about:blank")
    held = []

    def relay(route: Any) -> None:
        server = route.connect_to_server()
        route.on_message(server.send)

        def heard(message: Any) -> None:  # the text that the other page writes does not reach this one
            if holding and isinstance(message, str) and '"type": "script"' in message:
                held.append(message)
            else:
                route.send(message)

        server.on_message(heard)

    def until_values(changed: Watched, count: int) -> None:
        changed.until("(count) => Object.keys(ctrlgraphLive.state.values).length === count", count)

    holding: list[bool] = []
    late.page.route_web_socket("**/live", relay)
    late.page.goto(live)
    ended(late)
    for each in (page, late):
        open_script(each, "squat")
    holding.append(True)
    set_slider(page, "rKnee angle", 1.5)
    for each in (page, late):
        until_values(each, 1)
    page.page.click("#write")
    for each in (page, late):  # messages come in order: the text that was written has been held back by now
        until_values(each, 0)
    assert held
    file = small.directory / "controllers" / "squat.t"
    written = file.read_text()
    set_slider(late, "rKnee angle", 1.7)
    until_values(late, 1)
    holding.clear()
    late.page.click("#write")
    late.until_told("has been changed elsewhere; nothing was written")
    assert file.read_text() == written
    late.until("(text) => document.querySelector('#editor textarea').value === text", written)
    late.page.click("#write")  # having seen it
    until_values(late, 0)
    assert file.read_text() != written


@pytest.mark.slow
def test_what_was_never_tried_is_grey_and_the_whole_graph_is_seen(live: str, open_page: Callable[..., Watched]) -> None:
    for width in (390, 1280, 1920):
        page = open_page(live, viewport={"width": width, "height": 900})
        page.until("() => document.querySelectorAll('#graph .cg-node').length === 3")
        inside = """() => { const box = document.querySelector('#graph > svg').getBoundingClientRect();
          const bar = document.querySelector('#graph .cg-graph-bar').getBoundingClientRect();
          return [...document.querySelectorAll('#graph .cg-node .cg-shape')].every((each) => {
            const own = each.getBoundingClientRect();
            return own.left >= box.left && own.right <= box.right && own.top >= box.top
              && own.bottom <= box.bottom && (own.right <= bar.left || own.top >= bar.bottom); }); }"""
        page.until(inside)
        saturation = """() => [...document.querySelectorAll('#graph > svg :is(.cg-shape, .cg-edge)')]
        .flatMap((each) => {
          if (each.closest('.cg-lit')) return [];
          return [getComputedStyle(each).stroke, getComputedStyle(each).fill].filter((c) => c !== 'none').map((c) => {
            const found = c.match(/[\\d.]+/g).map(Number), scale = c.startsWith('color') ? 255 : 1;
            const rgb = found.slice(0, 3).map((v) => v * scale);
            return Math.max(...rgb) - Math.min(...rgb); }); })"""
        assert max(page.evaluate(saturation)) < 40
        legend = shown(page, ".cg-legend")
        assert "never tried" in legend and "dynamic motion" in legend and "succeeded" not in legend


@pytest.mark.slow
def test_line_ends_of_a_script_stay_where_its_text_is_edited(page: Watched, small: Project) -> None:
    file = small.directory / "controllers" / "squat.t"
    text = file.read_bytes().replace(b"\n", b"\r\n")
    file.write_bytes(text)
    open_script(page, "squat")
    page.until("() => document.querySelector('#save').disabled")  # what is only shown is not changed
    page.page.locator("#editor textarea").press("Control+End")
    page.page.keyboard.type("# later")
    page.until("() => ctrlgraphLive.state.undoes === 'text of squat.t'")
    page.page.keyboard.press("Control+s")
    page.until("() => document.querySelector('#save').disabled")
    assert file.read_bytes() == text + b"# later"

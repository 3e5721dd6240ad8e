"""A report in a browser: tables sort and filter, motions play; printing is static."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Watched
from report_samples import GRAPH, MemorySweeps, attempt, record, report_with
from small_project import make_project

from ctrlgraph.project.project import Project


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of a small project, with filmstrips and motions."""
    directory = tmp_path_factory.mktemp("on-screen")
    project = Project(make_project(directory / "motions", GRAPH))
    with project.log() as log:
        log.begin_run(record("1121-aaaaa"))
        log.add(attempt("1121-aaaaa", 0, "stand", None))
        for i in range(9):
            log.add(attempt("1121-aaaaa", i + 1, "squat", "stand", ok=i >= 4))
    sweeps = MemorySweeps()
    sweeps.add("squat", [("slope", (-2.0, 0.0, 2.0))], lambda slope: float(slope > -1))
    sweeps.add("squat", [("push", (0.0, 100.0)), ("phase", (0.0, 0.5))], lambda push, phase: 1 - push / 200)
    return report_with(sweeps, project, directory / "out", filmstrips=True)


@pytest.fixture
def opened(report: Path, open_page: Callable[..., Watched]) -> Watched:
    watched = open_page(report.as_uri(), offline=True, viewport={"width": 1280, "height": 900})
    watched.page.wait_for_selector("html[data-ready]")
    return watched


def names(opened: Watched) -> list[str]:
    return opened.page.locator("table.all tbody tr:not([hidden]) td:first-child").all_inner_texts()


def test_it_makes_no_requests_and_logs_no_errors(opened: Watched, report: Path) -> None:
    assert [url for url in opened.requests if not url.startswith("data:")] == [report.as_uri()]
    assert opened.errors == []


def test_a_table_sorts_by_numbers_and_by_names(opened: Watched) -> None:
    head = opened.page.locator("table.all thead")
    head.get_by_role("button", name="success").click()
    assert names(opened)[-2:] == ["squat", "stand"]  # 5 of 9, 1 of 1; the others were never tried
    head.get_by_role("button", name="success").click()
    assert names(opened)[:2] == ["stand", "squat"]
    head.get_by_role("button", name="node").click()
    assert names(opened) == sorted(names(opened))
    assert head.locator("th").first.get_attribute("aria-sort") == "ascending"


@pytest.mark.slow
def test_a_motion_plays_on_its_node_page(opened: Watched) -> None:
    frame = opened.page.locator("#node-squat .motion")
    frame.scroll_into_view_if_needed()
    opened.page.wait_for_selector("#node-squat .motion[data-ready]")
    before = frame.locator("output").inner_text()
    frame.get_by_role("button", name="Play").click()
    opened.until("(before) => document.querySelector('#node-squat .motion output').textContent !== before", before)
    assert opened.errors == []


@pytest.mark.slow
def test_untried_nodes_look_different_from_failed_ones(opened: Watched) -> None:
    fill = "(name) => getComputedStyle(document.querySelector(`.live-graph [aria-label='${name}'] .cg-shape`)).fill"
    tried, untried = opened.evaluate(fill, "squat"), opened.evaluate(fill, "prone")
    assert tried != untried
    assert untried == opened.evaluate(fill, "rise")


@pytest.mark.slow
def test_a_node_of_the_graph_links_to_its_page(opened: Watched) -> None:
    opened.page.locator(".live-graph [aria-label='squat']").dispatch_event("click")
    picked = opened.page.locator(".picked")
    assert picked.inner_text() == "squat: 5 of 9 attempts succeeded. Details"
    assert picked.locator("a").get_attribute("href") == "#node-squat"


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_nothing_is_cut_off_and_nothing_is_wider_than_the_window(
    report: Path, open_page: Callable[..., Watched], width: int
) -> None:
    watched = open_page(report.as_uri(), viewport={"width": width, "height": 900})
    watched.page.wait_for_selector("html[data-ready]")
    assert watched.evaluate("() => document.documentElement.scrollWidth") == width
    sizes = "() => { const m = document.querySelector('.matrix'); return [m.scrollWidth, m.parentNode.clientWidth]; }"
    matrix, frame = watched.evaluate(sizes)
    assert matrix <= frame


@pytest.mark.slow
def test_on_paper_there_are_pictures_and_no_players(opened: Watched) -> None:
    opened.page.emulate_media(media="print")
    assert not opened.page.locator("#node-squat .motion").is_visible()
    assert not opened.page.locator(".live-graph").is_visible()
    assert opened.page.locator("#graph .drawn > svg").is_visible()
    assert opened.page.locator("#node-squat .strip img").is_visible()


@pytest.mark.slow
def test_the_contents_highlight_the_present_section(opened: Watched) -> None:
    lit = "() => document.querySelector('nav a[aria-current]')?.hash"
    go = "(id) => document.getElementById(id).scrollIntoView({ behavior: 'instant', block: 'start' })"
    for part in ("summary", "graph", "matrix", "node-squat", "reproduce"):
        opened.evaluate(go, part)
        opened.until(f"() => ({lit})() === '#{part}'")
    assert opened.page.locator("nav a[aria-current]").count() == 1


@pytest.mark.slow
def test_a_link_unfolds_its_target(opened: Watched) -> None:
    # with smooth scrolling, the link would move away from the mouse
    opened.page.emulate_media(reduced_motion="reduce")
    opened.evaluate("() => { document.querySelector('#node-squat > details').open = false; }")
    opened.page.locator("nav a[href='#node-squat']").click()
    opened.page.locator("#node-squat .facts-line").wait_for(state="visible")
    opened.until("() => location.hash === '#node-squat' && window.scrollY > 0")
    opened.page.locator(".nodes a[href='#untried']").click()
    opened.page.locator("#untried li").first.wait_for(state="visible")
    assert opened.page.locator("#node-squat > details").get_attribute("open") is not None
    assert opened.page.locator("#untried").get_attribute("open") is not None

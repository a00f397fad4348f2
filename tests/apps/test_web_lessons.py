"""Help in a real browser: hints, threats, the teacher, live analysis, review, puzzles."""

from __future__ import annotations

import re

import pytest

from fivestone.analysis.wins import forced_win, win_by_fours
from fivestone.apps.web.messages import Fields
from fivestone.apps.web.puzzles import graded_puzzles
from fivestone.board import Board

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from browser import CHROMIUM, Table  # noqa: E402

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM, reason="no chromium: install it, or name it in CHROMIUM"),
]
expect = playwright.expect


def test_hint_gives_a_move_and_a_reason(table: Table) -> None:
    table.open("/#board=15&rule=freestyle&moves=h8h9i8i9j8j9k8")
    page = table.page
    table.wait_for_stones(7)
    page.keyboard.press("h")
    expect(page.locator("#hint-text")).to_contain_text(re.compile("(g8|l8) stops one five"))
    expect(page.locator(".mark-hint")).to_have_count(1)


def test_a_hint_draws_the_stones_it_is_about(table: Table) -> None:
    page = table.page
    table.open("/#board=15&rule=freestyle&moves=h8a1i8a3j8")
    table.wait_for_stones(5)
    page.keyboard.press("h")
    expect(page.locator("#hint-text")).to_have_text(re.compile(r"(g8|k8) stops an open three \(h8 i8 j8\)"))
    expect(page.locator(".threat-line.theirs")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".threat-line")).to_have_count(0)


def test_a_line_is_played_out_in_the_colours_of_its_sides(table: Table) -> None:
    """What a hint stops is the opponent's win, so its first stone is the opponent's."""
    page = table.page
    page.emulate_media(reduced_motion="no-preference")
    table.open("/#board=15&rule=freestyle&moves=e8d8f8a1g8c3i7o1j6m3h4")
    table.wait_for_stones(11)
    page.keyboard.press("p")
    page.keyboard.press("h")
    expect(page.locator("#hint-text")).to_contain_text("stops a win by force")
    page.locator("#advice .show-line").click()
    stones = page.locator(".variation.played-out")
    expect(stones.first).to_have_class(re.compile("black"))
    expect(stones.nth(1)).to_have_class(re.compile("white"))
    delays = stones.evaluate_all("all => all.map((stone) => parseInt(stone.style.animationDelay))")
    assert delays == sorted(delays)
    assert delays[-1] > delays[0] + 400 * (len(delays) - 1)
    page.locator("[data-mode=analyse]").click()
    expect(stones).to_have_count(0)


def test_threats_are_named_and_drawn(table: Table) -> None:
    table.open("/#board=15&rule=freestyle&moves=h8a1i8a3j8")
    table.wait_for_stones(5)
    table.page.keyboard.press("t")
    expect(table.page.locator("#threat-list")).to_contain_text("Black: open three h8 i8 j8")
    assert table.page.locator(".threat-line").count() == 1
    table.page.keyboard.press("t")
    expect(table.page.locator(".threat-line")).to_have_count(0)
    table.open("/#board=15&rule=freestyle&moves=e8d8f8a1g8a3h6a5h7a7")
    table.wait_for_stones(10)
    table.page.keyboard.press("t")
    expect(table.page.locator("#threat-list")).to_contain_text("Black could make a four-three at h8")


def test_the_teacher_warns_before_a_blunder(table: Table) -> None:
    page = table.page
    page.locator("#teach").check()
    page.keyboard.press("o")
    expect(page.locator("input[name=teach]")).to_be_checked()
    page.keyboard.press("Escape")
    table.open("/#board=15&rule=freestyle&moves=h8h9i8i9j8")
    page.locator("#do-play-here").click()
    table.click("o15")
    expect(page.locator("#advice")).to_contain_text("win by force")
    assert len(table.points()) == 5
    page.locator("#teach-back").click()
    expect(page.locator("#advice")).to_be_hidden()
    assert len(table.points()) == 5
    table.click("o15")
    page.locator("#teach-anyway").click()
    table.wait_for_stones(7)


def test_live_analysis_shows_candidates_and_variations(table: Table) -> None:
    table.open("/#board=15&rule=freestyle&moves=h8h9i8g8i9i10j10g7")
    page = table.page
    page.wait_for_selector(".candidate.best")
    expect(page.locator("#lines li").first).to_contain_text("%")
    page.locator("#do-live").click()
    expect(page.locator(".candidate")).to_have_count(0)
    page.locator("#do-live").click()
    page.wait_for_selector("#lines li")
    page.locator("#lines button").first.focus()
    page.wait_for_timeout(400)  # the search goes on, and the focus stays
    assert page.evaluate("document.activeElement.closest('#lines') !== null")
    page.locator("#lines li").first.hover()
    page.wait_for_selector(".layer-over .variation")
    page.wait_for_timeout(400)
    expect(page.locator(".layer-over .variation")).not_to_have_count(0)
    page.mouse.move(5, 5)
    page.wait_for_selector(".candidate.best")
    page.locator(".candidate.best circle").hover()
    page.wait_for_selector(".layer-over .variation")
    page.mouse.move(*table.place_of("a1", 15))
    page.wait_for_selector(".candidate.best")
    table.click("h7")
    table.wait_for_stones(9)
    page.keyboard.press("ArrowLeft")
    table.wait_for_stones(8)
    table.click("c3")
    table.wait_for_stones(9)
    expect(page.locator("#moves .branch")).to_contain_text("c3")
    page.locator("#do-promote").click()
    expect(page.locator("#moves .branch")).to_contain_text("h7")
    expect(page.locator("#do-promote")).to_be_hidden()
    page.keyboard.press("u")
    table.wait_for_stones(8)
    expect(page.locator("#moves .branch")).to_have_count(0)


def test_review_ranks_the_mistakes_and_the_graph_is_clickable(table: Table) -> None:
    # An even game until Black leaves an open three alone.
    table.open("/#board=15&rule=freestyle&moves=e1g6d5f2g4f4e5f5a1f3f6f1")
    page = table.page
    page.locator("#do-review-game").click()
    page.wait_for_selector(".flaw-card", timeout=30_000)
    expect(page.locator(".flaw-card").first).to_contain_text(re.compile(r"\?"))
    expect(page.locator("#mistakes")).to_contain_text(re.compile("lets (Black|White) win by force: "))
    page.locator(".flaw-card button:not(.plain)").first.click()
    page.wait_for_selector(".layer-over .variation")
    box = page.locator(".graph").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 3, box["y"] + 20)
    table.wait_for_stones(0)


def test_a_puzzle_is_solved(table: Table) -> None:
    page = table.page
    page.keyboard.press("z")
    expect(page.locator("#status")).to_contain_text("to play and win")
    puzzle = graded_puzzles(1)[0]
    board = Fields({"game": puzzle}).board()
    stones = board.stone_count
    while not board.is_over:
        move = win_by_fours(board)[0]
        table.click(board.name_of(move))
        board.push(move)
        if board.is_over:
            break
        table.wait_for_stones(stones + len(board.moves) + 1)
        board.push(table.points()[-1])
    expect(page.locator("#status")).to_contain_text("Solved")
    expect(page.locator("#puzzle-score")).to_contain_text("1 solved")
    page.keyboard.press(" ")  # the next one
    expect(page.locator("#status")).to_contain_text("Win by continuous fours")
    page.keyboard.press("h")  # the solution
    expect(page.locator("#status")).to_contain_text("The solution")
    page.keyboard.press("u")  # again
    expect(page.locator("#status")).to_contain_text("Win by continuous fours")


def open_own_puzzle(table: Table, position: str, stones: int) -> None:
    """Reviews the one move of a game from a position and takes up the puzzle that comes of it."""
    table.open(f"/#board=15&rule=freestyle&{position}")
    table.wait_for_stones(stones)
    table.page.keyboard.press("v")
    expect(table.page.locator(".toast")).to_contain_text("New puzzles from this game: 1", timeout=30_000)
    table.page.keyboard.press("z")
    table.page.locator("#puzzle-own").click()


def test_a_missed_win_by_threes_becomes_a_puzzle(table: Table) -> None:
    page = table.page
    open_own_puzzle(table, "black=h8i7i8h7&white=f6j6g8g6&turn=black&moves=a1", stones=9)
    expect(page.locator("#status")).to_contain_text("Win by threes and fours")
    board = Board.from_moves("h8f6i7j6i8g8h7g6")
    while True:
        win = forced_win(board)
        assert win is not None
        board.push(win.line[0])
        table.click(board.name_of(win.line[0]))
        if board.is_over:
            break
        table.wait_for_stones(len(board.moves) + 1)
        board.push(table.points()[-1])
    expect(page.locator("#status")).to_contain_text("Solved")
    page.keyboard.press("u")
    expect(page.locator("#status")).to_contain_text("Win by threes and fours")
    table.click("o15")
    expect(page.locator("#puzzle-message")).to_contain_text("has a defence")
    page.keyboard.press("h")
    page.wait_for_selector(".layer-over .variation")


def test_a_win_that_was_allowed_becomes_a_puzzle_of_defence(table: Table) -> None:
    page = table.page
    open_own_puzzle(table, "black=h8i8j8&white=a1a3&turn=white&moves=o1", stones=6)
    expect(page.locator("#status")).to_contain_text("White to play and hold")
    table.click("l8")
    expect(page.locator("#status")).to_contain_text("That does not hold")
    expect(page.locator(".layer-over .variation").first).to_have_class(re.compile("black"))
    page.keyboard.press("h")
    expect(page.locator(".threat.mine")).to_have_count(2)
    page.keyboard.press("u")
    table.click("k8")
    expect(page.locator("#puzzle-message")).to_have_text("No win by force is left.")


def test_a_wrong_move_fails_a_puzzle(table: Table) -> None:
    table.page.keyboard.press("z")
    expect(table.page.locator("#status")).to_contain_text("to play and win")
    table.click("o15")
    expect(table.page.locator("#status")).to_contain_text("slip")
    table.page.locator("#puzzle-show").click()
    table.page.wait_for_selector(".layer-over .variation")


def test_what_the_opponent_threatens_is_shown(table: Table) -> None:
    table.open("/#board=15&rule=freestyle&moves=h8a1i8a3j8")
    table.wait_for_stones(5)
    page = table.page
    page.keyboard.press("t")
    expect(page.locator("#advice")).to_contain_text("the opponent wins by fours")
    page.locator("#advice .show-line").click()
    expect(page.locator(".layer-over .variation").first).to_have_class(re.compile("black"))
    page.keyboard.press("Escape")
    expect(page.locator("#advice")).to_be_hidden()

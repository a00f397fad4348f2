"""The web app in a real browser: whole games by clicks, files, phones, keys, lost connections."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fivestone.apps.web.files import export_game
from fivestone.board import Board
from fivestone.match.specs import known_players

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from browser import CHROMIUM, Server, Table, open_table  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM, reason="no chromium: install it, or name it in CHROMIUM"),
]
expect = playwright.expect

WIN_FOR_BLACK = ["c3", "c4", "d3", "d4", "e3", "e4", "f3", "f4", "g3"]


def test_a_person_is_playing_at_once(table: Table) -> None:
    expect(table.page.locator("#status")).to_contain_text("Your move")
    table.click("h8")
    table.wait_for_stones(2)
    assert table.points()[0] == "h8"
    expect(table.page.locator("#status")).to_contain_text("Your move")


@pytest.mark.parametrize("size", [6, 9, 20])
def test_two_people_play_a_whole_game_by_clicks(table: Table, size: int) -> None:
    table.play(size, "human")
    moves = ["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1"]
    for count, name in enumerate(moves, 1):
        table.click(name, size)
        table.wait_for_stones(count)
    expect(table.page.locator("#status")).to_contain_text("Black wins")
    expect(table.page.locator(".winring")).to_have_count(5)
    table.click("f6", size)
    assert table.points() == moves


@pytest.mark.parametrize(("size", "side"), [(6, "first"), (7, "second")])
def test_a_whole_game_against_the_computer(table: Table, size: int, side: str) -> None:
    table.page.locator("#level").fill("1")
    table.play(size, "level", side)
    source = random.Random(size)
    names = [f"{chr(97 + x)}{y + 1}" for x in range(size) for y in range(size)]
    for _ in range(size * size):
        table.wait_for_turn()
        if table.page.locator("#after-game").is_visible():
            break
        taken = table.points()
        table.click(source.choice([name for name in names if name not in taken]), size)
        table.page.wait_for_function(
            "count => document.querySelectorAll('.layer-stones .stone').length > count", arg=len(taken)
        )
    expect(table.page.locator("#status")).to_contain_text(re.compile("win|lose|draw", re.I))
    board = Board.from_moves(table.points(), size)
    assert board.is_over


def test_undo_takes_back_both_moves(table: Table) -> None:
    table.click("h8")
    table.wait_for_stones(2)
    table.click("c3")
    table.wait_for_stones(4)
    before = table.points()[:2]
    table.page.locator("#do-undo").click()
    table.wait_for_stones(2)
    assert table.points() == before


def test_resigning_ends_the_game(table: Table) -> None:
    table.click("h8")
    table.wait_for_stones(2)
    table.page.locator("#do-resign").click()
    expect(table.page.locator("#status")).to_contain_text("Black resigned")
    expect(table.page.locator("#do-rematch")).to_be_visible()
    table.page.locator("#do-undo").click()  # a slip of the finger costs no move
    expect(table.page.locator("#status")).to_contain_text("Your move")
    table.wait_for_stones(2)


def test_levels_by_slider_buttons_and_keys(table: Table) -> None:
    page = table.page
    page.locator("#level-hard").click()
    expect(page.locator("#level-name")).to_have_text("Level 8 · Hard")
    expect(page.locator("#level-elo")).to_have_text(re.compile(r"Elo \d+"))
    page.locator("#level-max").click()
    expect(page.locator(".seat[data-color='2'] .who")).to_have_text("Strongest")
    page.locator("#level").fill("3")
    expect(page.locator(".seat[data-color='2'] .who")).to_have_text("Level 3")
    page.locator("body").press("+")
    expect(page.locator("#level-name")).to_have_text("Level 4")


def test_import_export_and_the_address(table: Table) -> None:
    page = table.page
    page.keyboard.press("a")
    page.locator("#do-import").click()
    page.locator("#import-text").fill("(;GM[4]FF[4]SZ[9];B[ee];W[ef](;B[fe])(;B[dd]))")
    page.locator("#import-go").click()
    table.wait_for_stones(3)
    assert table.points() == ["e5", "e4", "f5"]
    expect(page.locator("#moves .branch")).to_contain_text("d6")
    assert "#board=9&rule=freestyle&moves=e5e4f5" in page.url
    page.locator("#do-export").click()
    expect(page.locator("#export-text")).to_have_value(re.compile(r"SZ\[9\][\s\S]*\(;B\[fe\]\)\s*\(;B\[dd\]\)"))
    page.locator("[data-format=psq]").click()
    expect(page.locator("#export-text")).to_have_value(re.compile("Piskvorky 9x9"))
    page.keyboard.press("Escape")
    page.keyboard.press("i")
    page.locator("#import-text").fill("this is no game")
    page.locator("#import-go").click()
    expect(page.locator(".toast.bad")).to_be_visible()


def test_stones_that_were_set_up_are_shown_played_on_and_kept_in_the_address(table: Table) -> None:
    page = table.page
    page.keyboard.press("i")
    page.locator("#import-text").fill("(;GM[4]SZ[9]AB[ee][ff]AW[ef]PL[W];W[dd])")
    page.locator("#import-go").click()
    table.wait_for_stones(4)
    assert table.points() == ["f4", "e5", "e4", "d6"]
    expect(page.locator("#status")).to_contain_text("Black to move")
    assert "#board=9&rule=freestyle&black=f4e5&white=e4&turn=white&moves=d6" in page.url
    page.reload()
    table.wait_for_stones(4)
    page.locator("#do-play-here").click()
    table.click("e4", 9)  # taken
    table.click("g3", 9)
    table.wait_for_stones(6)
    page.keyboard.press("e")
    expect(page.locator("#export-text")).to_have_value(re.compile(r"AB\[ff\]\[ee\]AW\[ef\]PL\[W\]\s*;W\[dd\]"))
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    table.wait_for_stones(4)
    table.play(7, "level")
    expect(page.locator("#level-elo")).to_have_text(re.compile(r"Elo (\d+|not measured)"))


def test_a_position_is_set_up_by_hand(table: Table) -> None:
    page = table.page
    table.open("/#board=9&rule=freestyle&moves=e5e4f5")
    table.wait_for_stones(3)
    page.locator("#do-setup").click()
    expect(page.locator("#status")).to_contain_text("Set up a position")
    table.click("e4", 9)  # turns black
    table.click("f5", 9)  # a second black stone on a black one: gone
    page.locator("input[name=setup-color][value='2']").check(force=True)
    table.click("c3", 9)
    page.locator("input[name=setup-color][value='0']").check(force=True)
    table.click("e5", 9)
    table.click("a1", 9)
    assert sorted(table.points()) == ["c3", "e4"]
    page.keyboard.press("u")  # is about the game, not about what is set up
    page.locator("#setup-cancel").click()
    table.wait_for_stones(3)
    assert table.points() == ["e5", "e4", "f5"]
    page.keyboard.press("y")
    page.locator("#setup-clear").click()
    table.wait_for_stones(0)
    page.locator("#setup-rule").select_option("renju")
    page.locator("input[name=setup-turn][value='2']").check(force=True)
    page.locator("input[name=setup-color][value='1']").check(force=True)
    page.locator("#board").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    table.wait_for_stones(2)
    page.locator("#setup-done").click()
    expect(page.locator("#status")).to_contain_text("White to move")
    assert "#board=9&rule=renju&black=e5f5&white=&turn=white&moves=" in page.url
    table.click("e4", 9)
    expect(page.locator("#status")).to_contain_text("Black to move")
    page.keyboard.press("y")
    page.locator("#setup-board").select_option("7")
    page.locator("#setup-done").click()
    table.wait_for_stones(0)
    expect(page.locator("#board")).to_have_attribute("aria-label", re.compile("7 by 7"))


def test_a_game_comes_in_by_file_and_by_drop(table: Table, tmp_path: Path) -> None:
    page = table.page
    record = tmp_path / "game.psq"
    record.write_text(export_game(Board.from_moves("e5e4f5", 9), "psq"))
    page.keyboard.press("i")
    page.locator("#import-file").set_input_files(record)
    table.wait_for_stones(3)
    assert table.points() == ["e5", "e4", "f5"]
    page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.items.add(new File(["h8 i9 j10 k11"], "game.txt"));
          document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }"""
    )
    table.wait_for_stones(4)
    assert table.points() == ["h8", "i9", "j10", "k11"]


def test_a_game_can_be_pasted_anywhere(table: Table) -> None:
    page = table.page
    paste = """(text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      const target = document.querySelector("textarea") || document.body;
      target.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }"""
    page.evaluate(paste, "1. (5, 5)(5, 4)\n2. (6, 5)")
    table.wait_for_stones(3)
    page.keyboard.press("i")
    page.evaluate(paste, "h8 i9")  # into the dialog: nothing happens before it is confirmed
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    table.wait_for_stones(3)
    page.evaluate(paste, "h8 i9")
    table.wait_for_stones(2)


def test_files_stay_at_hand_in_a_low_window(browser: Browser, server: Server, complaints: list[str]) -> None:
    low = {"width": 1366, "height": 600}
    with open_table(browser, server.address, complaints, viewport=low) as table:
        table.open("/#board=15&rule=freestyle&moves=h8i9j10k8i8")
        table.wait_for_stones(5)
        for name in ("import", "export", "share", "picture", "animation", "archive"):
            box = table.page.locator(f"#do-{name}").bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= low["height"]
            assert box["x"] + box["width"] <= low["width"]


def test_of_two_people_the_one_to_move_can_resign(table: Table) -> None:
    page = table.page
    table.play(15, "human")
    table.click("h8")
    table.wait_for_stones(1)
    page.locator("#do-resign").click()
    expect(page.locator("#status")).to_contain_text("Black wins")
    expect(page.locator("#status")).to_contain_text("White resigned")
    page.keyboard.press("u")
    expect(page.locator("#status")).to_contain_text("White to move")
    table.wait_for_stones(1)


def test_analysis_tells_of_the_position_that_is_shown(table: Table) -> None:
    page = table.page
    table.open("/#board=9&rule=freestyle&moves=" + "".join(WIN_FOR_BLACK))
    expect(page.locator("#status")).to_contain_text("Black wins")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#status")).to_contain_text("White to move")
    table.click("b4", 9)
    page.keyboard.press("x")
    for name in ["a9", "f4"]:
        table.click(name, 9)
    expect(page.locator("#status")).to_contain_text("White wins")
    expect(page.locator("#status")).to_contain_text("Variation, move 10")


def test_picture_and_animation_are_saved(table: Table) -> None:
    table.open("/#board=9&rule=freestyle&moves=" + "".join(WIN_FOR_BLACK))
    page = table.page
    table.wait_for_stones(9)
    with page.expect_download() as picture:
        page.locator("#do-picture").click()
    assert Path(picture.value.path()).read_bytes().startswith(b"\x89PNG")
    with page.expect_download() as animation:
        page.locator("#do-animation").click()
    data = Path(animation.value.path()).read_bytes()
    assert data.startswith(b"GIF89a")
    frames = page.evaluate(
        """async (bytes) => {
          const decoder = new ImageDecoder({ data: new Uint8Array(bytes), type: "image/gif" });
          await decoder.tracks.ready;
          const count = decoder.tracks.selectedTrack.frameCount;
          for (let i = 0; i < count; i++) await decoder.decode({ frameIndex: i });
          return count;
        }""",
        list(data),
    )
    assert frames == 11  # the empty board, nine moves, the winning line


def test_a_reload_and_a_new_server_resume_the_game(table: Table, server: Server) -> None:
    table.click("h8")
    table.wait_for_stones(2)
    before = table.points()
    table.page.reload()
    table.wait_for_stones(2)
    assert table.points() == before
    server.stop()
    expect(table.page.locator("#link-state")).to_be_visible()
    table.click("c3")  # played while nobody listens
    server.start()
    table.wait_for_stones(4)
    assert table.points()[:2] == before
    expect(table.page.locator("#link-state")).to_be_hidden()


def test_two_people_at_once(table: Table, browser: Browser, server: Server, complaints: list[str]) -> None:
    with open_table(browser, server.address, complaints) as other:
        other.open()
        table.click("h8")
        other.click("c3")
        table.wait_for_stones(2)
        other.wait_for_stones(2)
        assert table.points()[0] == "h8"
        assert other.points()[0] == "c3"


def test_a_phone_asks_before_it_places(browser: Browser, server: Server, complaints: list[str]) -> None:
    phone = {"viewport": {"width": 375, "height": 667}, "has_touch": True, "is_mobile": True}
    with open_table(browser, server.address, complaints, **phone) as table:
        table.open()
        page = table.page
        expect(page.locator("#status")).to_contain_text("Your move")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        table.tap("h8")
        expect(page.locator("#confirm")).to_be_visible()
        assert table.points() == []
        page.locator("#confirm-no").tap()
        table.tap("g7")
        page.locator("#confirm-yes").tap()
        table.wait_for_stones(2)
        assert table.points()[0] == "g7"
        page.set_viewport_size({"width": 667, "height": 375})  # on its side everything stays in reach
        box = page.locator("#board").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 375
        page.locator("#step-first").tap()
        table.wait_for_stones(0)


UNNAMED = """() => [...document.querySelectorAll("button, input, select, textarea, a, svg[role]")]
  .filter((element) => element.checkVisibility())
  .filter((element) => !(element.getAttribute("aria-label") || element.textContent || element.title).trim())
  .filter((element) => !(element.labels && element.labels.length))
  .map((element) => element.outerHTML)"""


def test_a_screen_reader_finds_a_name_for_everything(table: Table) -> None:
    page = table.page
    for key in ["n", "o", "i", "/"]:
        page.keyboard.press(key)
        page.wait_for_selector("dialog")
        assert page.evaluate(UNNAMED) == [], key
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")  # keys are for an open dialog until it is gone
    for path in ["/?mode=analyse", "/?mode=puzzles", "/learn"]:
        table.open(path)
        page.wait_for_function("() => document.getElementById('board').childElementCount > 0")
        assert page.evaluate(UNNAMED) == [], path


def test_everything_works_from_the_keyboard(table: Table) -> None:
    page = table.page
    page.locator("#board").focus()
    for key in ["ArrowRight", "ArrowRight", "ArrowUp", "Enter"]:  # the first key shows the cursor at the centre
        page.keyboard.press(key)
    table.wait_for_stones(2)
    assert table.points()[0] == "i9"
    page.locator("body").press("/")
    page.locator("#move-name").fill("c3")
    page.keyboard.press("Enter")
    table.wait_for_stones(4)
    page.locator("body").press("u")
    table.wait_for_stones(2)
    page.locator("body").press("Home")
    table.wait_for_stones(0)
    page.keyboard.press("End")
    table.wait_for_stones(2)
    page.keyboard.press("?")
    expect(page.locator("dialog .keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    table.wait_for_stones(0)


def test_hostile_messages_change_nothing(table: Table) -> None:
    answers = table.socket(
        [
            "garbage",
            '{"id":1,"op":"move","game":{"size":15,"rule":"freestyle","moves":[]},"player":{"kind":"gomocup:/bin/sh"}}',
            '{"id":2,"op":"run","name":"../../etc"}',
            '{"id":3,"op":"look","game":{"size":15,"rule":"freestyle","moves":[112]}}',
        ]
    )
    by_number: dict[int, Any] = {answer["id"]: answer for answer in answers}
    assert all("error" in by_number[number] for number in (-1, 1, 2))
    assert by_number[3]["position"]["turn"] == 2
    table.click("h8")
    table.wait_for_stones(2)


def test_a_net_is_offered_only_for_the_game_it_was_made_for(table: Table) -> None:
    page = table.page
    page.locator("#do-new").click()
    net = page.locator("#new-game label", has=page.locator("input[value='net:line']"))
    net.locator("input").check(force=True)
    page.locator("#new-game select[name=rule]").select_option("renju")
    expect(net).to_be_hidden()
    expect(page.locator("#new-game input[value=level]")).to_be_checked()
    page.locator("#new-game select[name=rule]").select_option("freestyle")
    expect(net).to_be_visible()


def test_forbidden_points_are_marked(table: Table) -> None:
    table.open("/#board=15&rule=renju&moves=h8a1h9a3i10a5j10o1")
    expect(table.page.locator(".forbidden")).to_have_attribute("data-point", "h10")
    table.click("h10")
    expect(table.page.locator(".toast")).to_contain_text("forbids")
    table.wait_for_stones(8)


def test_a_computer_that_could_not_move_is_asked_again(table: Table) -> None:
    page = table.page
    refusals = iter([{"error": "the server is busy"}, {"stopped": True}])

    def relay(socket: Any) -> None:
        server = socket.connect_to_server()

        def pass_on(message: str) -> None:
            data = json.loads(message)
            refusal = next(refusals, None) if data["op"] == "move" else None
            if refusal is None:
                server.send(message)
            else:
                socket.send(json.dumps({"id": data["id"], **refusal}))

        socket.on_message(pass_on)

    page.route_web_socket(re.compile("/socket"), relay)
    table.open()
    table.wait_for_turn()
    table.click("h8")
    expect(page.locator(".toast.bad")).to_contain_text("busy")
    expect(page.locator("#status")).to_contain_text("Paused")
    page.locator("#do-now").click()  # stopped this time, while it waited
    expect(page.locator("#do-now")).to_have_text("Go on")
    page.keyboard.press(" ")
    table.wait_for_stones(2)
    expect(page.locator("#do-now")).to_be_hidden()


def test_swap2_with_a_person_who_opens(table: Table) -> None:
    table.play(15, "human", opening="swap2")
    for name in ["h8", "i9", "c3"]:
        table.click(name)
    table.page.locator("#swap-two").click()
    for name in ["d4", "k8"]:
        table.click(name)
    table.page.locator("#swap-black").click()
    expect(table.page.locator("#status")).to_contain_text("White to move")
    assert table.points() == ["h8", "i9", "c3", "d4", "k8"]


def test_the_computer_takes_its_part_in_swap2(table: Table) -> None:
    table.play(15, "level", "second", opening="swap2")
    table.page.wait_for_selector("#swap-white")
    assert len(table.points()) == 3
    table.page.locator("#swap-white").click()
    expect(table.page.locator("#status")).to_contain_text("Your move")


def test_watching_the_computer_play_itself(table: Table) -> None:
    page = table.page
    page.locator("#level").fill("1")
    table.play(9, "watch")
    page.locator("#speed").fill("2000")
    page.wait_for_function("() => document.querySelectorAll('.layer-stones .stone').length >= 3")
    page.keyboard.press(" ")
    expect(page.locator("#do-pause")).to_contain_text("Go on")
    count = len(table.points())
    page.wait_for_timeout(300)
    assert len(table.points()) == count
    page.locator("#do-pause").click()
    page.wait_for_function("count => document.querySelectorAll('.layer-stones .stone').length > count", arg=count)
    page.locator("#do-new").click()
    page.locator("#watch-white").select_option("fool")
    page.locator("#start-game").click()
    expect(page.locator(".seat .who")).to_have_text(["Level 1", "The fool"])
    expect(page.locator("#level-card")).to_be_hidden()
    page.wait_for_function("() => document.querySelectorAll('.layer-stones .stone').length >= 2")


def test_colours_numbers_and_chinese(table: Table) -> None:
    page = table.page
    table.click("h8")
    table.wait_for_stones(2)
    page.keyboard.press("#")
    expect(page.locator(".stone .number")).to_have_text(["1", "2"])
    for theme in ["light", "dark", "contrast"]:
        page.keyboard.press("d")
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
    page.keyboard.press("l")
    expect(page.locator("html")).to_have_attribute("lang", "zh")
    expect(page.locator("#do-undo")).to_have_text("悔棋")
    expect(page.locator("#status")).to_contain_text("轮到你了")


def test_a_training_run_is_watched(table: Table) -> None:
    table.open("/learn")
    page = table.page
    expect(page.locator("#run")).to_have_value("small")
    expect(page.locator(".chart")).to_have_count(2)
    table.wait_for_stones(3)
    page.locator("#step-first").click()
    table.wait_for_stones(0)
    page.locator("#do-run").click()
    table.wait_for_stones(3)
    for key, count in {"Home": 0, "ArrowRight": 1, ".": 2, "ArrowLeft": 1, "End": 3}.items():
        page.keyboard.press(key)
        table.wait_for_stones(count)
    page.keyboard.press("?")
    expect(page.locator("dialog .keys")).to_contain_text("Replay the game")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.keyboard.press("l")
    expect(page.locator(".chart h3").first).to_have_text("损失")
    page.locator("#open-game").click()
    table.wait_for_stones(3)
    assert table.points() == ["e5", "e4", "f5"]
    table.open("/?mode=puzzles")
    expect(page.locator("[data-mode=puzzles]")).to_have_attribute("aria-selected", "true")


def test_the_newest_game_of_a_run_is_shown_as_it_comes(table: Table, server: Server) -> None:
    page = table.page
    table.open("/learn")
    expect(page.locator("#game-title")).to_have_text("A game of round 11")
    fresh = server.runs / "small" / "games" / "000012.sgf"
    fresh.write_text("(;GM[4]FF[4]SZ[9];B[ee];W[ef])")
    try:
        expect(page.locator("#game-title")).to_have_text("A game of round 12")
        table.wait_for_stones(2)
        page.locator("#game").fill("0")  # whoever looks at an older one is left alone
        expect(page.locator("#game-title")).to_have_text("A game of round 11")
    finally:
        fresh.unlink()
    page.set_viewport_size({"width": 390, "height": 844})
    charts, board = page.locator("#charts").bounding_box(), page.locator(".replay").bounding_box()
    assert charts is not None
    assert board is not None
    assert abs(charts["width"] - board["width"]) < 2


@pytest.mark.skipif("fool" not in known_players(), reason="the fool is not part of this build")
def test_the_fool_introduces_itself_and_plays(table: Table) -> None:
    table.play(8, "fool")
    expect(table.page.locator("#fool-card")).to_contain_text("wants you to win")
    table.click("d4", 8)
    table.wait_for_stones(2)


def test_finished_games_are_kept_and_opened_again(table: Table) -> None:
    page = table.page
    table.play(9, "human")
    for count, name in enumerate(WIN_FOR_BLACK, 1):
        table.click(name, 9)
        table.wait_for_stones(count)
    expect(page.locator("#after-game")).to_be_visible()
    table.play(15, "human")
    table.wait_for_stones(0)
    page.keyboard.press("b")
    expect(page.locator("#game-list li")).to_have_count(1)
    expect(page.locator("#game-list li")).to_contain_text("9×9")
    page.locator("#game-list button").first.click()
    table.wait_for_stones(9)
    assert table.points() == WIN_FOR_BLACK


def test_looking_back_and_playing_on_from_there_keeps_the_old_line(table: Table) -> None:
    page = table.page
    table.play(15, "human")
    for count, name in enumerate(["h8", "i9", "j10"], 1):
        table.click(name)
        table.wait_for_stones(count)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    table.wait_for_stones(1)
    page.locator("#do-here").click()
    table.click("c3")
    table.wait_for_stones(2)
    expect(page.locator("#moves .branch")).to_contain_text("i9")
    assert table.points() == ["h8", "c3"]

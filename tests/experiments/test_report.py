"""Reports as Markdown."""

import re

from hypothesis import given
from hypothesis import strategies as st

from fivestone.experiments.report import Report

_TEXTS = st.text("ab1%", max_size=3)


@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(_TEXTS, min_size=n, max_size=n), min_size=1, max_size=4)))
def test_a_table_is_one_in_markdown(lines: list[list[str]]) -> None:
    report = Report("A title")
    report.table(lines[0], lines[1:])
    _title, _empty, head, rule, *rows = report.markdown().splitlines()
    assert len(rows) == len(lines) - 1
    assert len({len(line) for line in (head, rule, *rows)}) == 1  # it can be read as it stands
    # GitHub's rule for the line under the headings: dashes, at least one, with colons at its ends or without.
    assert all(re.fullmatch(r" :?-+:? ", cell) for cell in rule[1:-1].split("|"))
    assert [cell.strip() for cell in head[1:-1].split("|")] == lines[0]

"""fivestone reproduce lists its experiments and prints a table as measured."""

from click.testing import CliRunner

from fivestone.cli.reproduce import command


def test_lists_and_runs_experiments() -> None:
    listed = CliRunner().invoke(command, ["--list"])
    assert "ucb1-tuned" in listed.output
    ran = CliRunner().invoke(command, ["ucb1-tuned", "--trials", "2"])
    assert ran.exit_code == 0
    rows = [line.split() for line in ran.output.splitlines() if line.strip().startswith("200")]
    assert [(row[0], row[1]) for row in rows] == [
        ("200", "ucb1"),
        ("200", "ucb1-tuned"),
        ("2000", "ucb1"),
        ("2000", "ucb1-tuned"),
    ]
    assert all(row[2].endswith("/2") for row in rows)

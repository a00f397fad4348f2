"""The signature of the search, and the shape of the figures."""

import json
from pathlib import Path

from click.testing import CliRunner

from fivestone.cli import bench

_TRACKED = Path(__file__).parents[2] / "benchmarks" / "signature.txt"


def test_signature_is_the_tracked_one() -> None:
    assert bench.signature() == int(_TRACKED.read_text()), (
        "the search behaves differently: if that is meant, write the new number into benchmarks/signature.txt"
    )


def test_figures(monkeypatch) -> None:
    monkeypatch.setattr(bench, "DEPTH", 2)
    monkeypatch.setattr(bench, "QUICK_DEPTH", 3)
    result = CliRunner().invoke(bench.command, ["--json", "--quick"], catch_exceptions=False)
    figures = json.loads(result.output)
    for name in ("signature", "alphabeta_nps", "vcf_nps", "push_pop_per_s", "pattern_push_pop_per_s"):
        assert figures[name] > 0
    assert set(figures["rollout_sims_per_s"]) == {"9", "15"}
    assert set(figures["net_sims_per_s"]) == {"9", "15"}
    assert figures["alphabeta_net_nps"] > 0
    plain = CliRunner().invoke(bench.command, ["--quick"], catch_exceptions=False).output
    assert plain.startswith("signature")

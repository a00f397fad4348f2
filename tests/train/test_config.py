import dataclasses
import math
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivestone.errors import BadFile, BadInput
from fivestone.train.config import _BOUNDS, PRESETS, TrainConfig, config_from, preset, read_config


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_survives_its_own_file(name: str, tmp_path: Path) -> None:
    config = preset(name)
    path = tmp_path / "config.toml"
    path.write_text(config.to_toml())
    assert read_config(path) == config


@given(
    st.builds(
        lambda seed, rate, sizes: {"seed": seed, "learning_rate": rate, "sizes": sizes},
        st.integers(0, 2**31),
        st.floats(1e-6, 1),
        st.lists(st.integers(5, 20), min_size=1, max_size=4),
    )
)
def test_settings_round_trip(settings: dict[str, object]) -> None:
    config = config_from(settings)
    assert config_from(tomllib.loads(config.to_toml())) == config


def test_unknown_key_names_the_nearest() -> None:
    with pytest.raises(BadInput, match="did you mean 'simulations'"):
        config_from({"simulation": 3})


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"batch": "many"}, "batch must be a whole number"),
        ({"batch": 0}, "batch is 0: choose 1 to 1000000"),
        ({"noise_share": 1.5}, "noise_share is 1.5: choose 0.0 to 1.0"),
        ({"noise_alpha": math.nan}, "noise_alpha is nan: choose"),
        ({"ema": 2.0}, "ema is 2.0: choose"),
        ({"ema": 1.0}, "ema is 1.0: choose"),
        ({"learning_rate": math.nan}, "learning_rate is nan: choose"),
        ({"window_growth": math.inf}, "window_growth is inf: choose"),
        ({"leaf_vcf": -1}, "leaf_vcf is -1: choose 0"),
        ({"balance_tries": 0}, "balance_tries is 0: choose 1"),
        ({"random_plies": -1}, "random_plies is -1: choose 0"),
        ({"simulations": 10**19}, "simulations is 10000000000000000000: choose 2"),
        ({"samples_per_shard": 10**19}, "samples_per_shard is 1"),
        ({"reuse": 1e300}, "reuse is 1e\\+300: choose"),
        ({"reuse": -(10**400)}, "reuse is -inf: choose"),
        ({"seed": -1}, "seed is -1: choose 0"),
        ({"seed": 10**22}, "seed is 1"),
        ({"threads": 100_000}, "threads is 100000: choose 0 to 1024"),
        ({"size_weights": [0.0]}, "size_weights is .* one above 0"),
        ({"size_weights": [math.nan]}, "size_weights is .* choose 0 to"),
        ({"sizes": []}, "at least one board size"),
        ({"sizes": [2]}, "board size 2"),
        ({"sizes": 9}, "sizes must be a list"),
        ({"rule": "go"}, "unknown rule 'go'"),
        ({"win_length": 4}, "the line net is for win length 5"),
        ({"self_play_net": "worst"}, "choose latest or best"),
        ({"size_weights": [1, 2]}, "one number for each"),
    ],
)
def test_bad_settings_say_what_to_do(settings: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        config_from(settings)


def test_every_number_has_its_bounds() -> None:
    bounded = {field.name for field in dataclasses.fields(TrainConfig) if type(field.default) in (int, float)}
    assert set(_BOUNDS) == bounded - {"win_length"}  # which the board checks


def test_a_whole_number_serves_as_a_number() -> None:
    assert config_from({"learning_rate": 1}).learning_rate == 1.0


def test_bad_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot read"):
        read_config(tmp_path / "none.toml")
    path = tmp_path / "bad.toml"
    path.write_bytes(b"\xff\xfe=")
    with pytest.raises(BadFile, match="not a config file"):
        read_config(path)
    path.write_text(f"seed = {'9' * 5000}")
    with pytest.raises(BadFile, match="not a config file"):
        read_config(path)
    path.write_text("sed = 1")
    with pytest.raises(BadInput, match=r"bad\.toml: unknown setting 'sed': did you mean 'seed'"):
        read_config(path)


def test_every_setting_has_a_default() -> None:
    assert all(field.default is not dataclasses.MISSING for field in dataclasses.fields(TrainConfig))

"""The order of the layers, `__all__` in every module, and a command line that starts light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import fivestone

ROOT = Path(fivestone.__file__).parent

# From lowest to highest; a module may import its own layer and those before it.
LAYERS = [
    ("errors", "files"),
    ("_core", "board"),
    ("notation", "records"),
    ("search",),
    ("net",),
    ("match",),
    ("analysis", "train"),
    ("experiments",),
    ("apps", "cli"),
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
# The board's text methods are written in notation, which knows boards only as a type: the one allowed cycle.
ALLOWED = {("board", "notation")}
OPTIONAL = {"torch", "pygame", "ray", "onnxruntime", "onnx", "matplotlib", "tensorboard"}


def modules() -> list[Path]:
    return sorted(path for path in ROOT.rglob("*.py") if "__pycache__" not in path.parts)


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(tree: ast.AST) -> list[tuple[int, str]]:
    """Line and dotted name of everything imported from the package, wherever in the file."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide the layer"
            found += [(node.lineno, f"{node.module}.{alias.name}") for alias in node.names]
        elif (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) in ("importlib.import_module", "import_module", "__import__")
            and isinstance(node.args[0], ast.Constant)
        ):
            found.append((node.lineno, str(node.args[0].value)))
    return found


def layer_of(module: str) -> str | None:
    """The first part of a module's name inside the package; None for what stands above all layers."""
    first = module.split(".")[0]
    return first if first in RANK else None


def breaks(module: str, source: str) -> list[str]:
    """The imports of a module that point to a higher layer."""
    found = []
    own = layer_of(module)
    for line, name in imports_of(ast.parse(source)):
        parts = name.split(".")
        if parts[0] != "fivestone" or len(parts) < 2 or own is None:
            continue
        target = layer_of(parts[1])
        if target is None:
            # `from fivestone import Board`: the package's own names; only layers above the board may.
            if RANK[own] <= RANK["board"]:
                found.append(f"{module}:{line} imports {name}")
        elif RANK[target] > RANK[own] and (own, target) not in ALLOWED:
            found.append(f"{module}:{line} imports {name}")
    return found


def test_imports_point_down() -> None:
    assert [problem for path in modules() for problem in breaks(name_of(path), path.read_text())] == []


def test_every_module_belongs_to_a_layer() -> None:
    top = {"", "__main__"}
    assert {name_of(path) for path in modules() if layer_of(name_of(path)) is None} <= top


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("search.mcts", "from fivestone.match import specs"),
        ("search.mcts", "def f():\n    import fivestone.net.torch_net"),
        ("search.mcts", "from fivestone import net"),
        ("records.sgf", "import importlib\nx = importlib.import_module('fivestone.apps.web')"),
        ("notation", "if TYPE_CHECKING:\n    from fivestone.search import Limit"),
        ("board", "from fivestone import Board"),
    ],
)
def test_the_rule_sees_every_kind_of_import(module: str, source: str) -> None:
    assert len(breaks(module, source)) == 1


def test_notation_and_board_know_each_other_inside_methods_only() -> None:
    tree = ast.parse((ROOT / "board.py").read_text())
    top = [name for node in tree.body for _, name in imports_of(node) if not isinstance(node, ast.ClassDef)]
    assert not any(name.startswith("fivestone.notation") for name in top)
    notation = ast.parse((ROOT / "notation.py").read_text())
    direct = [name for node in notation.body if not isinstance(node, ast.If) for _, name in imports_of(node)]
    assert not any(name.startswith("fivestone.board") for name in direct)


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_every_module_says_what_it_offers(path: Path) -> None:
    tree = ast.parse(path.read_text())
    targets = [
        (node.value, target)
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    listed = [value for value, target in targets if ast.unparse(target) == "__all__" and value is not None]
    assert ast.get_docstring(tree) or path.name == "__main__.py", "a module begins by saying what it is"
    if path.name != "__main__.py":
        assert len(listed) == 1, "__all__ is missing"
        names = ast.literal_eval(listed[0])
        assert sorted(set(names)) == sorted(names)


def test_extras_are_imported_where_they_are_used() -> None:
    for path in modules():
        for node in ast.parse(path.read_text()).body:
            for line, name in imports_of(node) if isinstance(node, ast.Import | ast.ImportFrom) else []:
                allowed = name_of(path).startswith(("net.", "apps.desktop.", "train.conv_backend"))
                assert allowed or name.split(".")[0] not in OPTIONAL, f"{path}:{line} imports {name} at its top"


def loaded_after(code: str) -> set[str]:
    result = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print('LOADED', *sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(result.stdout.split("LOADED", 1)[1].split())


def test_help_loads_nothing_heavy() -> None:
    loaded = loaded_after(
        "import contextlib\nfrom fivestone.cli import main\nwith contextlib.suppress(SystemExit): main(['--help'])"
    )
    assert "click" in loaded
    assert not loaded & {"numpy", "rich", "starlette", "uvicorn", *OPTIONAL}


def test_search_never_loads_torch() -> None:
    assert not loaded_after("import fivestone.search") & {"torch", "onnxruntime"}

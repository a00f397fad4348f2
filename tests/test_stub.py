"""The typed stub of the extension says what the extension has."""

import ast
from pathlib import Path

import fivestone
from fivestone import _core


def _stub_names() -> dict[str, set[str]]:
    tree = ast.parse((Path(fivestone.__file__).parent / "_core.pyi").read_text())
    names: dict[str, set[str]] = {"": set()}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            names[node.name] = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            names[""].add(node.name)
    return names


def test_stub_matches_extension() -> None:
    stub = _stub_names()
    classes = {name: value for name, value in vars(_core).items() if isinstance(value, type)}
    functions = {name for name, value in vars(_core).items() if callable(value) and name not in classes}
    assert functions - {"__getattr__"} == stub.pop(""), "run `make stubs`"
    assert set(classes) == set(stub), "run `make stubs`"
    for name, kind in classes.items():
        public = {member for member in vars(kind) if not member.startswith("__")}
        if not hasattr(kind, "__members__"):
            assert public == {member for member in stub[name] if not member.startswith("__")}, (
                f"{name}: run `make stubs`"
            )

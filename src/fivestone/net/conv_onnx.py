"""The convolutional nets as ONNX: written without torch, run by ONNX Runtime."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from fivestone.errors import MissingExtra
from fivestone.files import write_atomically
from fivestone.net.conv import KINDS, ConvNet, Floats
from fivestone.net.features import PLANES, planes_of
from fivestone.search.evaluator import Leaves

__all__ = ["OnnxEvaluator", "export_onnx", "onnx_bytes", "quantised_onnx_bytes"]

_OPSET = 17


def onnx_bytes(net: ConvNet, *, prepared: bool = False) -> bytes:
    """The net as an ONNX model: planes -> policy, value. `prepared` marks it as ready to be quantised."""
    try:
        import onnx
        from onnx import TensorProto, helper, numpy_helper
    except ImportError:
        raise MissingExtra("ONNX export", "onnx") from None
    kind = KINDS[net.kind]
    nodes: list[Any] = []

    def add(operation: str, inputs: list[str], output: str, **attributes: Any) -> str:
        nodes.append(helper.make_node(operation, inputs, [output], **attributes))
        return output

    def conv(x: str, name: str, *, relu: bool = True) -> str:
        pads = [net.arrays[f"{name}.weight"].shape[2] // 2] * 4
        made = add("Conv", [x, f"{name}.weight", f"{name}.bias"], f"{name}_conv", pads=pads)
        return add("Relu", [made], f"{name}_out") if relu else made

    def dense(x: str, name: str) -> str:
        return add("Gemm", [x, f"{name}.weight", f"{name}.bias"], f"{name}_dense", transB=1)

    x = "planes"
    for number in range(len(kind.filters)):
        x = conv(x, f"trunk{number}")
    for number in range(kind.blocks):
        inner = conv(conv(x, f"block{number}a"), f"block{number}b", relu=False)
        x = add("Relu", [add("Add", [x, inner], f"block{number}_sum")], f"block{number}_out")
    flat = add("Flatten", [conv(x, "policy_conv")], "policy_flat")
    add("Softmax", [dense(flat, "policy")], "policy_out", axis=1)
    flat = add("Flatten", [conv(x, "value_conv")], "value_flat")
    hidden = add("Relu", [dense(flat, "value_hidden")], "value_relu")
    add("Tanh", [dense(hidden, "value")], "value_out")
    shape: list[str | int | None] = ["n", PLANES[kind.planes], net.size, net.size]
    graph = helper.make_graph(
        nodes,
        f"fivestone {net.kind}",
        [helper.make_tensor_value_info("planes", TensorProto.FLOAT, shape)],
        [
            helper.make_tensor_value_info("policy_out", TensorProto.FLOAT, ["n", net.size * net.size]),
            helper.make_tensor_value_info("value_out", TensorProto.FLOAT, ["n", 1]),
        ],
        [numpy_helper.from_array(array, name) for name, array in net.arrays.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=8)
    if prepared:
        helper.set_model_props(model, {"onnx.quant.pre_process": "onnxruntime.quant"})
    onnx.checker.check_model(model)
    data: bytes = model.SerializeToString()
    return data


def quantised_onnx_bytes(net: ConvNet, examples: Leaves) -> bytes:
    """The same with the convolutions in 8-bit integers, scaled to what the examples call for.

    About twice as fast on CPUs with instructions for it, and off by about a hundredth.
    """
    try:
        from onnxruntime import quantization
    except ImportError:
        raise MissingExtra("quantised nets", "onnx") from None

    class Reader(quantization.CalibrationDataReader):  # type: ignore[misc]
        batches = iter([{"planes": planes_of(examples, KINDS[net.kind].planes)}])

        def get_next(self) -> dict[str, Any] | None:
            return next(self.batches, None)

    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "net.onnx", Path(folder) / "small.onnx"
        source.write_bytes(onnx_bytes(net, prepared=True))
        quantization.quantize_static(
            source,
            target,
            Reader(),
            quant_format=quantization.QuantFormat.QOperator,
            per_channel=True,
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
            op_types_to_quantize=["Conv", "Relu"],
        )
        return target.read_bytes()


def export_onnx(net: ConvNet, path: Path) -> None:
    write_atomically(path, onnx_bytes(net))


class OnnxEvaluator:
    """Runs a conv net in ONNX Runtime on the CPU; in 8-bit integers, where examples to scale them by are given."""

    def __init__(self, net: ConvNet, threads: int = 1, *, examples: Leaves | None = None) -> None:
        try:
            import onnxruntime
        except ImportError:
            raise MissingExtra("ONNX Runtime", "onnx") from None
        self.net = net
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        model = onnx_bytes(net) if examples is None else quantised_onnx_bytes(net, examples)
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def evaluate(self, leaves: Leaves) -> tuple[Floats, Floats]:
        self.net.check(leaves)
        planes = planes_of(leaves, KINDS[self.net.kind].planes)
        policy, value = self._session.run(None, {"planes": planes})
        return policy.astype(np.float32), value[:, 0].astype(np.float32)

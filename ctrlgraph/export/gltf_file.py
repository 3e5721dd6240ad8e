"""Files in the format glTF 2.0: arrays in one buffer, and the JSON document that describes them.

The format: The Khronos Group, "glTF 2.0 Specification" (2021), https://registry.khronos.org/glTF/specs/2.0/.
"""

from __future__ import annotations

import base64
import json
import struct
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.version import __version__

Kind = Literal["SCALAR", "VEC3", "VEC4"]

_FLOAT, _UINT16, _UINT32 = 5126, 5123, 5125
_VERTICES, _INDICES = 34962, 34963
_MAGIC, _JSON, _BINARY = 0x46546C67, 0x4E4F534A, 0x004E4942


class GltfFile:
    """A glTF file in the making: its arrays are added one by one, and its document is filled in by the caller."""

    def __init__(self) -> None:
        self.document: dict[str, Any] = {"asset": {"version": "2.0", "generator": f"ctrlgraph {__version__}"}}
        """The JSON document, without buffers, bufferViews and accessors."""
        self._data = bytearray()
        self._views: list[dict[str, Any]] = []
        self._accessors: list[dict[str, Any]] = []

    def vertices(self, values: NDArray[Any], *, bounds: bool = False) -> int:
        """Add an attribute of the points of a mesh, and return the index of its accessor.

        Args:
            values: Vector of each point (n, 3).
            bounds: Whether to state the smallest and largest values, as the format requires for positions.
        """
        return self._add(values.astype("<f4"), "VEC3", _FLOAT, bounds, {"target": _VERTICES})

    def indices(self, values: NDArray[Any]) -> int:
        """Add the indices of the corners of triangles, an array of any shape, and return the index of its accessor."""
        small = int(values.max(initial=0)) < 2**16 - 1  # the greatest number has another meaning
        flat = values.reshape(-1).astype("<u2" if small else "<u4")
        return self._add(flat, "SCALAR", _UINT16 if small else _UINT32, False, {"target": _INDICES})

    def samples(self, values: NDArray[Any], kind: Kind) -> int:
        """Add the times or values of an animation, and return the index of their accessor.

        Args:
            values: Numbers (n,) or vectors (n, 3) or (n, 4).
            kind: Type of the elements. For numbers, which are times, the smallest and largest value are stated.
        """
        return self._add(values.astype("<f4"), kind, _FLOAT, kind == "SCALAR", {})

    def _add(self, values: NDArray[Any], kind: Kind, component: int, bounds: bool, use: dict[str, Any]) -> int:
        """Add an array to the buffer, and return the index of its accessor.

        Args:
            values: Array (n,) or (n, k) of the type that the file contains.
            kind: Type of the n elements.
            component: The format's number for the type of the numbers.
            bounds: Whether to state the smallest and largest values.
            use: Properties of the buffer view.
        """
        content = np.ascontiguousarray(values).tobytes()
        view = {"buffer": 0, "byteOffset": len(self._data), "byteLength": len(content), **use}
        accessor = {"bufferView": len(self._views), "componentType": component, "count": len(values), "type": kind}
        if bounds:
            rows = values.reshape(len(values), -1)
            accessor |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self._data += _padded(content, b"\0")
        self._views.append(view)
        self._accessors.append(accessor)
        return len(self._accessors) - 1

    def binary(self) -> bytes:
        """Return the file in the binary form (.glb)."""
        text = _padded(self._text(), b" ")
        chunks = b"".join(struct.pack("<II", len(c), k) + c for c, k in ((text, _JSON), (bytes(self._data), _BINARY)))
        return struct.pack("<III", _MAGIC, 2, 12 + len(chunks)) + chunks

    def text(self) -> str:
        """Return the file as JSON (.gltf), which contains the buffer in base 64."""
        content = base64.b64encode(bytes(self._data)).decode()
        return self._text(f"data:application/octet-stream;base64,{content}").decode() + "\n"

    def _text(self, uri: str | None = None) -> bytes:
        """Return the complete document; `uri` is the address of the buffer, or None if it follows the document."""
        buffer = {"byteLength": len(self._data)} | ({} if uri is None else {"uri": uri})
        arrays = {"accessors": self._accessors, "bufferViews": self._views, "buffers": [buffer]}
        return json.dumps(self.document | arrays, ensure_ascii=False, separators=(",", ":")).encode()


def _padded(content: bytes, by: bytes) -> bytes:
    """Return `content`, extended to a multiple of four bytes by the byte `by`."""
    return content + by * (-len(content) % 4)

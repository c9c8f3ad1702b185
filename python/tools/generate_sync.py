"""Writes `tickwire/rest/sync_api.py`: the synchronous classes, from the asynchronous ones in `tickwire/rest/api.py`.

Each method has the same signature and description, without `await`, and hands the call to the asynchronous class on the thread of
the client.
"""

from __future__ import annotations

import ast
import re
import textwrap
from typing import List, Union

HEADER = '''"""The synchronous classes. Each method runs the asynchronous one of the same name on the thread of the client.

Generated from `api.py` by `python3 python/tools/generate.py`. Do not edit.
"""

from __future__ import annotations

import os
from typing import Any, Dict, Iterable, Iterator, Mapping, Optional, Sequence, Union

from .. import models
from ..loop_thread import LoopThread
from ..signing.signer import Signer
from .api import AsyncAccountApi, AsyncAdminApi, AsyncKeysApi, AsyncLinksApi, AsyncRestApi, AsyncUdfApi
from .evidence import Evidence
from .request import Instant

'''


def generate(source: str) -> str:
    """The text of the module."""
    classes = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    return HEADER + "\n".join(_class(node) for node in classes if node.name.endswith("Api"))


def _class(node: ast.ClassDef) -> str:
    name = node.name[len("Async"):]
    doc = ast.get_docstring(node) or ""
    lines = [
        f"\nclass {name}:",
        _doc(doc, 4),
        f"    def __init__(self, inner: {node.name}, thread: LoopThread) -> None:",
        "        self._inner = inner",
        "        self._thread = thread",
        "",
    ]
    for method in node.body:
        if isinstance(method, ast.AsyncFunctionDef) and not method.name.startswith("_"):
            lines.append(_method(method))
    return "\n".join(lines)


def _method(method: ast.AsyncFunctionDef) -> str:
    arguments = method.args
    passed = [argument.arg for argument in arguments.args[1:]]
    passed += [f"{argument.arg}={argument.arg}" for argument in arguments.kwonlyargs]
    if arguments.kwarg:
        passed.append(f"**{arguments.kwarg.arg}")
    call = _call(f"self._inner.{method.name}", passed, 12).lstrip()
    returns = ast.unparse(method.returns) if method.returns else "None"
    if returns.startswith("AsyncIterator["):
        returns = returns[len("Async"):]
        body = _wrapped("return self._thread.iterate", call)
    elif returns == "AsyncEvidence":
        returns = "Evidence"
        body = f"inner = self._thread.run({call})\n        return Evidence(inner, self._thread)"
    else:
        body = _wrapped("return self._thread.run", call)
    return "\n".join(
        [
            _signature(method, returns),
            _doc(synchronous(ast.get_docstring(method) or ""), 8),
            f"        {body}",
            "",
        ]
    )


def _wrapped(prefix: str, call: str) -> str:
    line = f"{prefix}({call})"
    return line if "\n" not in line and len(line) <= 112 else f"{prefix}(\n            {call}\n        )"


def _signature(method: Union[ast.AsyncFunctionDef, ast.FunctionDef], returns: str) -> str:
    parts: List[str] = []
    arguments = method.args
    positional = arguments.args
    defaults: List[object] = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    for argument, default in zip(positional, defaults):
        parts.append(_argument(argument, default))
    if arguments.kwonlyargs:
        parts.append("*")
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        parts.append(_argument(argument, default))
    if arguments.kwarg:
        parts.append(f"**{_argument(arguments.kwarg, None)}")
    line = f"    def {method.name}({', '.join(parts)}) -> {returns}:"
    if len(line) <= 120:
        return line
    inner = "".join(f"        {part},\n" for part in parts)
    return f"    def {method.name}(\n{inner}    ) -> {returns}:"


def _argument(argument: ast.arg, default: object) -> str:
    text = argument.arg + (f": {ast.unparse(argument.annotation)}" if argument.annotation else "")
    if not isinstance(default, ast.AST):
        return text
    return f"{text}{' = ' if argument.annotation else '='}{ast.unparse(default)}"


def synchronous(text: str) -> str:
    """A description without the words of asyncio."""
    text = re.sub(r"\(await ((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)(?=[\[.])", r"\1", text)
    return text.replace("async for", "for").replace("await ", "")


def _doc(text: str, indent: int) -> str:
    lines = text.split("\n")
    closing = '"""' if len(lines) == 1 else '\n"""'
    return textwrap.indent('"""' + "\n".join(lines) + closing, " " * indent, lambda line: bool(line.strip())) + (
        "\n" if indent == 4 else ""
    )


LIVE_HEADER = '''"""Streams for synchronous programs. The methods are those of `AsyncLive`.

Generated from `live.py` by `python3 python/tools/generate.py`. Do not edit.
"""

from __future__ import annotations

from typing import Optional, Sequence

from .. import models
from ..loop_thread import LoopThread
from ..rest.request import StreamPosition
from .live import AsyncLive, LiveStream, NewsMessage, OnGap, OnNotice, OnRejected, SignalMessage
from .options import DEFAULT_BUFFER, DEFAULT_HEARTBEAT, Symbols

'''


def generate_live(source: str) -> str:
    """The text of `tickwire/stream/sync_live.py`."""
    node = next(each for each in ast.parse(source).body if isinstance(each, ast.ClassDef) and each.name == "AsyncLive")
    lines = [
        "",
        "class Live:",
        _doc(ast.get_docstring(node) or "", 4),
        "    def __init__(self, inner: AsyncLive, thread: LoopThread) -> None:",
        "        self._inner = inner",
        "        self._thread = thread",
        "",
    ]
    for method in node.body:
        if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
            arguments = method.args
            passed = [argument.arg for argument in arguments.args[1:]]
            passed += [f"{argument.arg}={argument.arg}" for argument in arguments.kwonlyargs]
            returns = ast.unparse(method.returns)[len("Async"):] if method.returns else "None"
            lines += [
                _signature(method, returns),
                _doc(synchronous(ast.get_docstring(method) or ""), 8),
                _call(f"stream = self._inner.{method.name}", passed, 8),
                "        return LiveStream(stream.release(), self._thread)",
                "",
            ]
    return LIVE_HEADER + "\n".join(lines)


def _call(prefix: str, passed: List[str], indent: int) -> str:
    margin = " " * indent
    line = f"{margin}{prefix}({', '.join(passed)})"
    if len(line) <= 120:
        return line
    return f"{margin}{prefix}(\n" + "".join(f"{margin}    {each},\n" for each in passed) + f"{margin})"

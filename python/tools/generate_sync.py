"""Writes `tickwire/rest/sync_api.py`: the synchronous classes, from the asynchronous ones in `tickwire/rest/`.

Each method has the same signature and description, without `await`, and hands the call to the asynchronous class on the thread of
the client.
"""

from __future__ import annotations

import ast
import re
import textwrap
from typing import List, Set, Union

from layout import WIDTH, call

HEADER = '''"""The synchronous classes. Each method runs the asynchronous one of the same name on the thread of the client.

Generated from `api.py` and `special_calls.py` by `python3 python/tools/generate.py`. Do not edit.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Literal, Mapping, Optional, Sequence, Tuple, Union, cast, overload

from .. import models
from ..loop_thread import LoopThread
from ..signing.signer import Signer
from .api import AsyncAccountApi, AsyncAdminApi, AsyncKeysApi, AsyncLinksApi, AsyncRestApi, AsyncUdfApi
from .evidence import Evidence
from .request import Instant
from .special_calls import FileFormat

if TYPE_CHECKING:
    import pandas
    import pyarrow

'''


def generate(special: str, source: str) -> str:
    """The text of the module, from `special_calls.py` and `api.py`."""
    found = {node.name: node for text in (special, source) for node in ast.parse(text).body if isinstance(node, ast.ClassDef)}
    groups = [node for node in found.values() if node.name.endswith("Api")]
    return HEADER + "\n".join(_class(node, [found[base] for base in _names(node)] + [node]) for node in groups)


def _names(node: ast.ClassDef) -> List[str]:
    return [base.id for base in node.bases if isinstance(base, ast.Name)]


def _class(node: ast.ClassDef, origins: List[ast.ClassDef]) -> str:
    """A class with the methods of the asynchronous one and of its base."""
    lines = [
        f"\nclass {node.name[len('Async'):]}:",
        _doc(ast.get_docstring(node) or "", 4),
        f"    def __init__(self, inner: {node.name}, thread: LoopThread) -> None:",
        "        self._inner = inner",
        "        self._thread = thread",
        "",
    ]
    overloaded: Set[str] = set()
    for method in (each for origin in origins for each in origin.body):
        if isinstance(method, ast.AsyncFunctionDef) and not method.name.startswith("_"):
            lines.append(_method(method, method.name in overloaded))
            overloaded.add(method.name)
    return "\n".join(lines)


def _method(method: ast.AsyncFunctionDef, is_overloaded: bool) -> str:
    if is_overload(method):
        return f"    @overload\n{_signature(method, ast.unparse(method.returns) if method.returns else 'None')} ...\n"
    arguments = method.args
    passed = [argument.arg for argument in arguments.args[1:]]
    passed += [f"{argument.arg}={argument.arg}" for argument in arguments.kwonlyargs]
    if arguments.kwarg:
        passed.append(f"**{arguments.kwarg.arg}")
    # The types of an overloaded method are stated above it.
    owner = "cast(Any, self._inner)" if is_overloaded else "self._inner"
    inner = call(f"{owner}.{method.name}", "()", passed, 12).lstrip()
    returns = ast.unparse(method.returns) if method.returns else "None"
    if returns.startswith("AsyncIterator["):
        returns = returns[len("Async"):]
        body = _wrapped("return self._thread.iterate", inner)
    elif returns == "AsyncEvidence":
        returns = "Evidence"
        body = f"inner = self._thread.run({inner})\n        return Evidence(inner, self._thread)"
    elif is_overloaded:
        body = f"{_wrapped(f'answer: {returns} = self._thread.run', inner)}\n        return answer"
    else:
        body = _wrapped("return self._thread.run", inner)
    return "\n".join(
        [
            _signature(method, returns),
            _doc(synchronous(ast.get_docstring(method) or ""), 8),
            f"        {body}",
            "",
        ]
    )


def is_overload(method: Union[ast.AsyncFunctionDef, ast.FunctionDef]) -> bool:
    """Whether a definition only states types."""
    return any(isinstance(each, ast.Name) and each.id == "overload" for each in method.decorator_list)


def _wrapped(prefix: str, inner: str) -> str:
    line = f"{prefix}({inner})"
    return line if "\n" not in line and len(line) <= WIDTH - 8 else f"{prefix}(\n            {inner}\n        )"


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
    return call(f"def {method.name}", "()", parts, 4, f" -> {returns}:")


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
from .live import AsyncLive, LiveStream, NewsMessage, OnGap, OnNotice, OnRejected, PerpetualMessage, SignalMessage
from .options import DEFAULT_BUFFER, DEFAULT_HEARTBEAT, Delivery, Overflow, Symbols

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
                call(f"stream = self._inner.{method.name}", "()", passed, 8),
                "        return LiveStream(stream.release(), self._thread)",
                "",
            ]
    return LIVE_HEADER + "\n".join(lines)

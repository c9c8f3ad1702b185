"""Writes `docs/reference/python.md`: every public class, function and method with its signature and description."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Dict, List, Optional, Tuple, Union

INTRODUCTION = """# Reference of the Python package

<!-- page not run: the Python reference -->

Generated from the source by `python3 python/tools/generate.py`. Do not edit. [README](../../python/README.md) has the first steps.

`AsyncTickwireClient` has the same methods as `TickwireClient`, to be awaited; its streams are looped over with `async for`. The
types of all bodies and messages are in `tickwire.models`; at run time they are plain dictionaries.
"""

SECTIONS: Tuple[Tuple[str, str, Tuple[str, ...]], ...] = (
    ("Client", "tickwire/client.py", ("TickwireClient", "AsyncTickwireClient")),
    ("REST calls", "tickwire/rest/sync_api.py", ("RestApi",)),
    ("`client.account`", "tickwire/rest/sync_api.py", ("AccountApi",)),
    ("`client.keys`", "tickwire/rest/sync_api.py", ("KeysApi",)),
    ("`client.links`", "tickwire/rest/sync_api.py", ("LinksApi",)),
    ("`client.udf`", "tickwire/rest/sync_api.py", ("UdfApi",)),
    ("`client.admin`", "tickwire/rest/sync_api.py", ("AdminApi",)),
    ("`client.live`", "tickwire/stream/sync_live.py", ("Live",)),
    ("History, then live", "tickwire/stream/follow.py", ("FollowedBar", "FollowedTick")),
    ("Streams", "tickwire/stream/live.py", ("LiveStream", "AsyncLiveStream")),
    ("Events of streams", "tickwire/stream/events.py", ("Message", "Gap", "StateChange")),
    ("Responses", "tickwire/rest/request.py", ("ResponseInfo", "Allowance", "StreamPosition")),
    ("Evidence", "tickwire/rest/evidence.py", ("Evidence",)),
    ("Frames and tables", "tickwire/frames.py", ("to_frame", "to_table", "milliseconds")),
    ("Signing", "tickwire/signing/signer.py", ("SigningKey", "Signer")),
    ("Canonical JSON", "tickwire/signing/canonical_json.py", ("canonical_json",)),
    ("Verification", "tickwire/verify/verification.py", ("verify_log", "averify_log", "VerifyReport")),
    ("Findings", "tickwire/verify/findings.py", ("Finding",)),
    ("Track records", "tickwire/verify/track_record.py", ("verify_publisher", "PublisherReport")),
    ("Webhooks", "tickwire/webhooks.py", ("verify_webhook", "WebhookVerificationError")),
    ("Errors", "tickwire/errors.py", ()),
)

Definition = Union[ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef]


def generate(root: Path) -> str:
    """The text of the reference."""
    parts = [INTRODUCTION]
    for title, path, names in SECTIONS:
        file = root / path
        if not file.exists():
            continue
        found = _definitions(file)
        chosen = names or tuple(name for name in found if isinstance(found[name], ast.ClassDef) and not name.startswith("_"))
        parts.append(f"## {title}\n")
        parts += [_definition(found[name]) for name in chosen]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip() + "\n"


def _definitions(file: Path) -> Dict[str, Definition]:
    nodes = ast.parse(file.read_text()).body
    return {node.name: node for node in nodes if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))}


def _definition(node: Definition) -> str:
    if not isinstance(node, ast.ClassDef):
        return f"### {node.name}\n\n{_signature(node)}\n{_description(node)}"
    base = f"({', '.join(ast.unparse(base) for base in node.bases)})" if node.bases else ""
    parts = [f"### {node.name}\n", f"```python\nclass {node.name}{base}\n```\n", _description(node)]
    init = next((each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None)
    if init and not any(argument.arg in ("inner", "runner", "opener", "session") for argument in init.args.args):
        parts.append(_signature(init, node.name))
    fields = _fields(node) + (_attributes(init) if init else [])
    if fields:
        parts.append("| field | type | |\n| --- | --- | --- |")
        parts.append("\n".join(f"| `{name}` | {_code(kind)} | {_cell(doc)} |" for name, kind, doc in fields) + "\n")
    for method in node.body:
        if isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)) and not method.name.startswith("_"):
            if any(isinstance(each, ast.Name) and each.id in ("property", "overload") for each in method.decorator_list):
                continue
            parts.append(f"#### {node.name}.{method.name}\n\n{_signature(method)}\n{_description(method)}")
    return "\n".join(parts)


def _fields(node: ast.ClassDef) -> List[Tuple[str, str, str]]:
    found = []
    for index, each in enumerate(node.body):
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and not each.target.id.startswith("_"):
            found.append((each.target.id, ast.unparse(each.annotation), _doc_after(node.body, index)))
        if isinstance(each, ast.FunctionDef) and any(
            isinstance(mark, ast.Name) and mark.id == "property" for mark in each.decorator_list
        ):
            found.append((each.name, ast.unparse(each.returns) if each.returns else "", ast.get_docstring(each) or ""))
    return found


def _attributes(init: ast.FunctionDef) -> List[Tuple[str, str, str]]:
    found = []
    for index, each in enumerate(init.body):
        target: Optional[ast.expr] = None
        kind = ""
        if isinstance(each, ast.Assign) and len(each.targets) == 1:
            target = each.targets[0]
        elif isinstance(each, ast.AnnAssign):
            target, kind = each.target, ast.unparse(each.annotation)
        doc = _doc_after(init.body, index)
        if isinstance(target, ast.Attribute) and not target.attr.startswith("_") and doc:
            found.append((target.attr, kind, doc))
    return found


def _doc_after(body: List[ast.stmt], index: int) -> str:
    following = body[index + 1] if index + 1 < len(body) else None
    if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant) and isinstance(following.value.value, str):
        return following.value.value
    return ""


def _signature(node: Union[ast.FunctionDef, ast.AsyncFunctionDef], name: str = "") -> str:
    arguments = node.args
    parts: List[str] = []
    positional = arguments.args[1:] if arguments.args and arguments.args[0].arg in ("self", "cls") else arguments.args
    missing = len(positional) - len(arguments.defaults)
    defaults: List[Optional[ast.expr]] = [None] * missing + list(arguments.defaults)
    for argument, default in zip(positional, defaults[-len(positional):] if positional else []):
        parts.append(_argument(argument, default))
    if arguments.kwonlyargs:
        parts.append("*")
    parts += [_argument(argument, default) for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    if arguments.kwarg:
        parts.append(f"**{_argument(arguments.kwarg, None)}")
    returns = f" -> {ast.unparse(node.returns)}" if node.returns and not name else ""
    prefix = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
    line = f"{prefix}{name or node.name}({', '.join(parts)}){returns}"
    if len(line) > 110:
        line = f"{prefix}{name or node.name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){returns}"
    return f"```python\n{line}\n```\n"


def _argument(argument: ast.arg, default: Optional[ast.expr]) -> str:
    text = argument.arg + (f": {ast.unparse(argument.annotation)}" if argument.annotation else "")
    return text if default is None else f"{text} = {ast.unparse(default)}"


def _description(node: Definition) -> str:
    text, _, example = (ast.get_docstring(node) or "").partition("Example:\n")
    parts = [text.strip()] if text.strip() else []
    if example.strip():
        lines = [line[4:] if line.startswith("    ") else line for line in example.rstrip().split("\n")]
        code = [line[4:] if line.startswith((">>> ", "... ")) else f"# {line}" for line in lines if line.strip()]
        parts.append("```python\n" + "\n".join(code) + "\n```")
    return "\n\n".join(parts) + "\n"


def _code(text: str) -> str:
    return f"`{text.replace('|', chr(92) + '|')}`" if text else ""


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())

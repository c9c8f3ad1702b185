"""Writes `tickwire/rest/api.py`: one asynchronous method for each operation of the OpenAPI document.

Path parameters and required fields are positional arguments, except numbers, which read better with their names. Everything else is a
keyword argument. `client-calls.ts` of the contract names the methods.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Tuple

from generate_models import docstring, sentence
from layout import WIDTH, call

Schema = Mapping[str, Any]

HEADER = '''"""One method for each endpoint of the service, named as in its API reference.

Generated from the OpenAPI document by `python3 python/tools/generate.py`. Do not edit. The methods of `special_calls.py` are not.

Every method takes `timeout`, the seconds that each attempt may take (default: that of the client). Methods that are safe to
repeat also take `retry`: whether to wait and try again after a 429 or 503 with `Retry-After` (default True). Those that create
something take `idempotency_key` (default: a random one): a repeated request with the same key has no further effect. A range is
`from_` and `to`, or `start` and `end`.
"""

from __future__ import annotations

from typing import Any, Iterable, Literal, Mapping, Optional, Sequence, Union

from .. import models
from .request import Instant, change_body, either, iso_instant, json_body, ndjson_body, part
from .special_calls import AsyncApiGroup, AsyncSpecialCalls
'''

GROUPS: Mapping[str, Tuple[str, str, str]] = {
    "": ("AsyncRestApi", "AsyncSpecialCalls", "Market data, signals, news, AI, usage and health."),
    "account": (
        "AsyncAccountApi",
        "AsyncApiGroup",
        "The account: sign-up, sign-in, sessions, password, signing key. Available as `client.account`.\n\n"
        "After `sign_in`, a client without a key keeps the cookie of the session and sends it with every call and stream.",
    ),
    "keys": (
        "AsyncKeysApi",
        "AsyncApiGroup",
        "API keys of the calling account. Needs a session, or a key with the scope `admin`. Available as `client.keys`.",
    ),
    "links": (
        "AsyncLinksApi",
        "AsyncApiGroup",
        "Data links of the calling account: addresses that read one path without a key. Available as `client.links`.\n\n"
        "Needs a session, or a key with the scope `admin`.",
    ),
    "udf": (
        "AsyncUdfApi",
        "AsyncApiGroup",
        "The data feed of TradingView charts, for charts of your own. Times are Unix time in seconds. Available as `client.udf`.",
    ),
    "admin": (
        "AsyncAdminApi",
        "AsyncApiGroup",
        "Operator calls. They need the owner's session, or a key with the scope `admin`. Available as `client.admin`.",
    ),
}

SPECIAL = frozenset(["quotes", "indicators", "publishSignal", "amendSignal", "closeSignal", "evidence"])
"""Endpoints with a method in `special_calls.py`."""
POSITIONAL = {"overview": "symbols", "createAlert": "symbol", "udfSearch": "query"}
"""Fields that may be left out and are positional nevertheless."""
PATH_NAMES = {"key": "id", "link": "id", "session": "id", "invitation": "id", "document": "name"}
"""Arguments for path parameters whose names repeat that of the method."""
DICTIONARY_NAMES = {"tradingViewHook": "alert", "changeAlert": "change"}
"""Arguments for bodies that are passed as one dictionary; `request` by default."""
OTHER_NAMES = {"from": "start", "to": "end"}
"""The same times by the names that pandas has for them."""


@dataclass(frozen=True)
class Argument:
    """An argument of a method and the field that it becomes."""

    field: str
    kind: str
    required: bool
    positional: bool
    description: str = ""
    is_time: bool = False
    other_name: Optional[str] = None
    """A second name for the same value."""

    @property
    def name(self) -> str:
        """`from` is a word of the language."""
        return "from_" if self.field == "from" else self.field

    def declared(self, needs_value: bool) -> str:
        """With its type, and None as its default."""
        return f"{self.name}: {self.kind}{'' if self.required or needs_value else ' = None'}"

    @property
    def entry(self) -> str:
        """Its member of a query or a body."""
        value = f"iso_instant({self.name})" if self.is_time else self.name
        if self.other_name:
            value = f"either({self.name}={self.name}, {self.other_name}={self.other_name})"
        return f'"{self.field}": {value}'


def generate(openapi: Dict[str, Any], calls: Mapping[str, Any], words: Mapping[str, List[str]]) -> str:
    """The text of the module."""
    writer = _Writer(openapi, calls, words)
    methods: Dict[str, List[str]] = {group: [] for group in GROUPS}
    for path, operations in openapi["paths"].items():
        for verb, operation in operations.items():
            known = calls[operation["operationId"]]
            streamed = "text/event-stream" in writer.success(operation)
            if known["endpoint"] not in SPECIAL and not streamed:
                group, _, name = known["method"].rpartition(".")
                methods[group].append(writer.method(name, verb, path, operation, known))
    classes = [
        f"\n\nclass {name}({base}):\n{docstring(text.split(chr(10) * 2))}\n" + "\n".join(methods[group])
        for group, (name, base, text) in GROUPS.items()
    ]
    return HEADER + "".join(classes)


class _Writer:
    def __init__(self, openapi: Dict[str, Any], calls: Mapping[str, Any], words: Mapping[str, List[str]]) -> None:
        self._words = {tuple(values): f"models.{name}" for name, values in words.items()}
        self._components = openapi["components"]
        self._methods = {
            f"{verb.upper()} {path}": calls[operation["operationId"]]["method"]
            for path, operations in openapi["paths"].items()
            for verb, operation in operations.items()
        }

    def method(self, name: str, verb: str, path: str, operation: Schema, known: Schema) -> str:
        """The text of a method."""
        parameters = [self._resolved(each) for each in operation.get("parameters", [])]
        in_path = [self._path_argument(each) for each in parameters if each["in"] == "path"]
        query = [
            self._argument(each["name"], each["schema"], each.get("required", False), each["description"], known)
            for each in parameters
            if each["in"] == "query" and each["name"] != "format"
        ]
        content = operation.get("requestBody", {}).get("content", {})
        fields, body = self._body(verb, content, known)
        # A field that may be left out comes first only if it is listed so: `create_alert(None, …)`.
        positional = [*in_path, *(each for each in query + fields if each.positional)]
        keywords = [each for each in query + fields if not each.positional]
        last = max((index for index, each in enumerate(positional) if each.required), default=-1)
        parts = ["self", *(each.declared(index < last) for index, each in enumerate(positional)), "*"]
        for each in sorted(keywords, key=lambda each: not each.required):
            parts.append(each.declared(False))
            parts += [f"{each.other_name}: {each.kind} = None"] if each.other_name else []
        idempotent = any(each["name"] == "Idempotency-Key" for each in parameters)
        retried = idempotent or verb in ("get", "delete")
        parts += ["idempotency_key: Optional[str] = None"] * idempotent + ["timeout: Optional[float] = None"]
        parts += ["retry: bool = True"] * retried
        success = self.success(operation)
        returns = "str" if "application/json" not in success else f"models.{_name(success['application/json']['schema'])}"

        place = re.sub(r"\{(\w+)\}", lambda match: f"{{part({PATH_NAMES.get(match[1], match[1])})}}", path)
        sent = [f'{"f" if in_path else ""}"{place}"']
        lines = []
        if verb == "get":
            lines += [call("parameters = ", "{}", [each.entry for each in query], 8)] if query else []
            sent.append("parameters" if query else "None")
            sent += ['"text/csv"'] if returns == "str" else []
        elif body != "None":
            lines.append(body)
        sent += ["body" if body != "None" else "None"] if verb in ("post", "put", "patch") else []
        sent += ["idempotency_key"] * idempotent + ["timeout"] + ["retry"] * retried
        function = "get_text" if returns == "str" else {
            "get": "get",
            "post": "post_idempotent" if idempotent else "post_once",
            "put": "put_once",
            "patch": "patch_once",
            "delete": "delete",
        }[verb]
        if returns == "str":
            lines.append(call(f"return await self._session.{function}", "()", sent, 8))
        else:
            lines.append(call(f"answer: {returns} = await self._session.{function}", "()", sent, 8))
            lines.append("        return answer")
        text = self._documentation(operation, query + fields, known["example"])
        return "\n".join([call(f"async def {name}", "()", parts, 4, f" -> {returns}:"), text.rstrip("\n"), *lines, ""])

    def success(self, operation: Schema) -> Schema:
        """The content of the successful response."""
        status = next(each for each in ("200", "201") if each in operation["responses"])
        found: Schema = self._resolved(operation["responses"][status])["content"]
        return found

    def _resolved(self, value: Schema) -> Schema:
        if "$ref" not in value:
            return value
        kind, name = value["$ref"].split("/")[-2:]
        found: Schema = self._components[kind][name]
        return found

    def _path_argument(self, parameter: Schema) -> Argument:
        return Argument(PATH_NAMES.get(parameter["name"], parameter["name"]), "str", True, True)

    def _argument(
        self, field: str, schema: Schema, required: bool, description: str, known: Schema, in_body: bool = False
    ) -> Argument:
        kind, nullable = self._kind(schema, in_body)
        positional = field in (POSITIONAL.get(known["endpoint"]), known["leading"]) or (
            required and kind not in ("int", "float")
        )
        shown = kind if required and not nullable else f"Optional[{kind}]"
        described = _described(schema, description)
        if in_body or kind != "Instant" or required or field not in OTHER_NAMES:
            return Argument(field, shown, required, positional, described, is_time=in_body and kind == "Instant")
        other = OTHER_NAMES[field]
        return Argument(field, shown, required, positional, f"{described} Also called `{other}`.", other_name=other)

    def _body(self, verb: str, content: Schema, known: Schema) -> Tuple[List[Argument], str]:
        """The arguments of a body, and the line that makes it."""
        if "application/x-ndjson" in content:
            item = _name(content["application/x-ndjson"]["schema"]["contentSchema"]["items"])
            return [Argument("lines", f"Iterable[models.{item}]", True, True)], "        body = ndjson_body(lines)"
        if "application/json" not in content:
            return [], "None"
        schema = content["application/json"]["schema"]
        if known["dictionary"]:
            argument = DICTIONARY_NAMES.get(known["endpoint"], "request")
            typed = verb != "patch" and "properties" in self._resolved(schema)
            kind = f"models.{_name(schema)}" if typed else "Mapping[str, Any]"
            described = sentence(f"`models.{_name(schema)}`")
            made = f"        body = {'change_body' if verb == 'patch' else 'json_body'}({argument})"
            return [Argument(argument, kind, True, True, described)], made
        properties, required = self._fields(schema)
        fields = [
            self._argument(name, each, name in required, each.get("description", ""), known, in_body=True)
            for name, each in properties.items()
        ]
        # None removes a required field; it leaves out any other one.
        keeps_none = any(each.required and each.kind.startswith("Optional[") for each in fields)
        function = "change_body" if keeps_none else "json_body"
        entries = [each.entry for each in fields]
        line = f"        body = {function}({{{', '.join(entries)}}})"
        if len(line) > WIDTH:
            line = f"        body = {function}(\n{call('', '{}', entries, 12)}\n        )"
        return fields, line

    def _fields(self, schema: Schema) -> Tuple[Dict[str, Schema], List[str]]:
        schema = self._resolved(schema)
        properties: Dict[str, Schema] = {}
        required: List[str] = []
        for each in schema.get("allOf", []):
            more, needed = self._fields(each)
            properties.update(more)
            required += needed
        return {**properties, **schema.get("properties", {})}, required + schema.get("required", [])

    def _kind(self, schema: Schema, in_body: bool) -> Tuple[str, bool]:
        """The type of an argument, and whether it may be null."""
        schema = self._resolved(schema)
        if "oneOf" in schema:
            return "Mapping[str, Any]", False
        if "anyOf" in schema:
            options = [each for each in schema["anyOf"] if each.get("type") != "null"]
            if any(each.get("format") == "date-time" for each in options):
                return "Instant", len(options) < len(schema["anyOf"])
            kinds = list(dict.fromkeys(self._kind(each, in_body)[0] for each in options))
            return kinds[0] if len(kinds) == 1 else f"Union[{', '.join(kinds)}]", len(options) < len(schema["anyOf"])
        kinds = [schema["type"]] if isinstance(schema["type"], str) else list(schema["type"])
        nullable = "null" in kinds
        kind = next(each for each in kinds if each != "null")
        if kind == "array":
            texts = schema["items"].get("type") == "string"
            each = self._words_of(schema["items"]) or ("str" if texts else "Mapping[str, Any]")
            return f"Sequence[{each}]" if in_body else f"Union[{each}, Sequence[{each}]]", nullable
        if kind == "string" and schema.get("format") == "date-time":
            return "Instant", nullable
        if kind == "string" and "enum" in schema and all(str(each).isdigit() for each in schema["enum"]):
            return "Union[int, str]", nullable
        if kind == "string" and self._words_of(schema):
            return self._words_of(schema), nullable
        return {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}.get(kind, "Mapping[str, Any]"), nullable

    def _words_of(self, schema: Schema) -> str:
        """The type of a choice; empty for any text."""
        resolved = self._resolved(schema)
        given = [resolved["const"]] if "const" in resolved else resolved.get("enum", [])
        words = [str(each) for each in given if each is not None]
        listed = ", ".join(f'"{each}"' for each in words)
        return self._words.get(tuple(words), f"Literal[{listed}]") if words else ""

    def _documentation(self, operation: Schema, arguments: List[Argument], example: str) -> str:
        paragraphs = [sentence(operation["summary"]), sentence(operation["description"])]
        if operation.get("x-scope", "read") != "read" and "scope `" not in operation["description"]:
            paragraphs[1] += f" A key needs the scope `{operation['x-scope']}`."
        listed = [f"- `{each.name}`: {each.description}" for each in arguments if each.description]
        if listed:
            paragraphs.append("\n".join(textwrap.fill(each, 108, subsequent_indent="  ", break_long_words=False) for each in listed))
        lines = f"await {example}".split("\n")
        prompt = [f"    {'>>>' if index == 0 else '...'} {line}" for index, line in enumerate(lines)]
        paragraphs.append("\n".join(["Example:", *prompt]))
        return textwrap.indent(docstring([self._in_python(each) for each in paragraphs[:-1]] + paragraphs[-1:]), "    ", _filled)

    def _in_python(self, text: str) -> str:
        """Names of methods instead of paths, literals of Python, and nothing about files, which other methods download."""
        text = re.sub(r"[^.]*(`format`|ETag)[^.]*\.\s*", "", text).strip()
        text = re.sub(r"`(GET|POST) (/[^`]*)`", lambda match: f"`{self._methods.get(f'{match[1]} {match[2]}', match[0][1:-1])}`", text)
        text = re.sub(r"`(\w+)=(true|false)`", lambda match: f"`{match[1]}={match[2].capitalize()}`", text)
        for word, meaning in (("from", "from_"), ("null", "None"), ("true", "True"), ("false", "False")):
            text = text.replace(f"`{word}`", f"`{meaning}`")
        return text


def _filled(line: str) -> bool:
    return bool(line.strip())


def _name(schema: Schema) -> str:
    return str(schema["$ref"]).rsplit("/", 1)[-1]


def _described(schema: Schema, description: str) -> str:
    """What an argument means, its values and its default."""
    text = sentence(description)
    shape = schema if "$ref" in schema else schema.get("items") or {}
    if "$ref" in shape and _name(shape) != "Instant":
        text += f" {'A list of ' if shape is not schema else ''}`models.{_name(shape)}`."
    values = schema.get("enum") or (schema.get("items") or {}).get("enum")
    if values and len(values) <= 12 and not all(f"`{value}`" in description for value in values):
        text += f" {'Any' if schema.get('type') == 'array' else 'One'} of {', '.join(f'`{value}`' for value in values)}."
    low, high = _bound(schema, "minimum"), _bound(schema, "maximum")
    if low is not None and high is not None and abs(low) < 1e11:
        text += f" {low:,} to {high:,}."
    default = schema.get("default")
    if default not in (None, "", []) and "default" not in description.lower():
        shown = ", ".join(map(str, default)) if isinstance(default, list) else default
        text += f" Default `{str(shown).lower() if isinstance(shown, bool) else shown}`."
    return text.strip()


def _bound(schema: Schema, name: str) -> Optional[float]:
    value = schema.get(name)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None

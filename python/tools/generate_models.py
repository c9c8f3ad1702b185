"""Writes `tickwire/models.py`: the types of all bodies and messages, from the OpenAPI and AsyncAPI documents of a service."""

from __future__ import annotations

import keyword
import re
import textwrap
from typing import Any, Dict, List, Set, Tuple

Schema = Dict[str, Any]
HEADER = '''"""Types of the bodies and messages of the service. At run time they are plain dictionaries.

Generated from the OpenAPI and AsyncAPI documents by `python3 python/tools/generate.py`. Do not edit.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Union

from typing import TypedDict

'''


def generate(openapi: Dict[str, Any], asyncapi: Dict[str, Any], words: Dict[str, List[str]]) -> str:
    """The text of the module. `words` are lists of words by the names of their types."""
    schemas: Dict[str, Schema] = {**asyncapi["components"]["schemas"], **openapi["components"]["schemas"]}
    writer = _Writer(schemas)
    for name in sorted(schemas):
        writer.define(name)
    codes = openapi["components"]["schemas"]["Problem"]["properties"]["code"]["enum"]
    return HEADER + writer.text({**words, "ErrorCode": codes})


class _Writer:
    def __init__(self, schemas: Dict[str, Schema]) -> None:
        self.schemas = schemas
        self.classes: List[str] = []
        self.aliases: Dict[str, Tuple[str, str, Set[str]]] = {}
        self.names: Set[str] = set(schemas)
        self.defined: Set[str] = set()

    def define(self, name: str) -> None:
        """Defines the type of a schema, after the classes that it extends."""
        if name in self.defined:
            return
        self.defined.add(name)
        schema = self.schemas[name]
        for base in _bases(schema):
            self.define(base)
        if schema.get("type") == "object" and ("properties" in schema or "allOf" in schema):
            self._class(name, schema)
        else:
            self.aliases[name] = (self._type(name, schema), schema.get("description", ""), _references(schema))

    def _class(self, name: str, schema: Schema) -> None:
        required = set(schema.get("required", []))
        properties = schema.get("properties", {})
        bases = ", ".join(_bases(schema)) or "TypedDict"
        must = {field: value for field, value in properties.items() if field in required}
        may = {field: value for field, value in properties.items() if field not in required}
        description = schema.get("description", "") or f"`{name}` of the service."
        if must and may:
            self._part(f"_{name}Required", must, name, f"Fields that every `{name}` has.", bases, True)
            self._part(name, may, name, description, f"_{name}Required", False)
        else:
            self._part(name, properties, name, description, bases, bool(must) or not may)

    def _part(
        self, name: str, fields: Dict[str, Schema], owner: str, description: str, base: str, total: bool
    ) -> None:
        types = {field: self._type(owner + _camel(field), value) for field, value in fields.items()}
        if any(not field.isidentifier() or keyword.iskeyword(field) for field in fields):
            functional = f"_{name.lstrip('_')}{'Fields' if total else 'Options'}"
            members = "".join(f"    {field!r}: {kind!r},\n" for field, kind in types.items())
            self.classes.append(f"{functional} = TypedDict({functional!r}, {{\n{members}}}, total={total})\n")
            bases = functional if base == "TypedDict" else f"{base}, {functional}"
            notes = {field: sentence(value.get("description", "")) for field, value in fields.items()}
            listed = [f"`{field}`: {note}" for field, note in notes.items() if note]
            self.classes.append(f"class {name}({bases}):\n{docstring([sentence(description), *listed])}\n")
            return
        lines = [f"class {name}({base}{'' if total else ', total=False'}):\n{docstring([sentence(description)])}\n"]
        for field, kind in types.items():
            lines.append(f"    {field}: {kind}\n")
            note = sentence(fields[field].get("description", ""))
            if note:
                lines.append(docstring([note]))
        self.classes.append("".join(lines))

    def _type(self, name: str, schema: Schema) -> str:
        if "$ref" in schema:
            return str(schema["$ref"]).rsplit("/", 1)[-1]
        if "enum" in schema or "const" in schema:
            values = schema.get("enum", [schema.get("const")])
            kinds = schema.get("type")
            text = f"Literal[{', '.join(_literal(value) for value in values if value is not None)}]"
            return f"Optional[{text}]" if None in values or (isinstance(kinds, list) and "null" in kinds) else text
        for key in ("oneOf", "anyOf"):
            if key in schema:
                options = [option for option in schema[key] if option.get("type") != "null"]
                kinds = _unique(self._type(f"{name}{index or ''}", option) for index, option in enumerate(options))
                text = kinds[0] if len(kinds) == 1 else f"Union[{', '.join(kinds)}]"
                return f"Optional[{text}]" if len(options) < len(schema[key]) else text
        kind = schema.get("type")
        if isinstance(kind, list):
            rest = [each for each in kind if each != "null"]
            kinds = _unique(self._type(name, {**schema, "type": each}) for each in rest)
            text = kinds[0] if len(kinds) == 1 else f"Union[{', '.join(kinds)}]"
            return f"Optional[{text}]" if "null" in kind else text
        if kind == "array":
            return f"List[{self._type(name + 'Item' if not name.endswith('s') else name[:-1], schema.get('items', {}))}]"
        if kind == "object":
            if "properties" in schema:
                while name in self.names:
                    name += "Value"
                self.names.add(name)
                self._class(name, schema)
                return name
            extra = schema.get("additionalProperties")
            return f"Dict[str, {self._type(name + 'Value', extra) if isinstance(extra, dict) and extra else 'Any'}]"
        return {"string": "str", "number": "float", "integer": "int", "boolean": "bool", "null": "None"}.get(kind or "", "Any")

    def text(self, words: Dict[str, List[str]]) -> str:
        parts = ["\n\n".join(self.classes)]
        done: Set[str] = set()
        names = sorted(self.aliases)
        while names:
            ready = [name for name in names if not (self.aliases[name][2] & set(names) - {name})]
            for name in ready or names[:1]:
                kind, description, _ = self.aliases[name]
                note = f'\n"""{sentence(description)}"""' if description else ""
                parts.append(f"{name} = {kind}{note}\n")
                done.add(name)
            names = [name for name in names if name not in done]
        for name, values in words.items():
            members = "".join(f"    {_literal(value)},\n" for value in values)
            parts.append(f"{name} = Literal[\n{members}]\n")
        return "\n\n".join(parts)


def _bases(schema: Schema) -> List[str]:
    """The schemas whose fields a schema has as well."""
    return [str(part["$ref"]).rsplit("/", 1)[-1] for part in schema.get("allOf", [])]


def _references(schema: Any) -> Set[str]:
    if isinstance(schema, dict):
        found = {str(schema["$ref"]).rsplit("/", 1)[-1]} if "$ref" in schema else set()
        return found.union(*(_references(value) for value in schema.values()))
    if isinstance(schema, list):
        return set().union(*(_references(value) for value in schema)) if schema else set()
    return set()


def _unique(values: Any) -> List[str]:
    return list(dict.fromkeys(values))


def _literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _camel(text: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", text))


def sentence(description: str) -> str:
    """A description for a docstring: on one line, with a full stop."""
    text = " ".join(description.replace("\\", "\\\\").replace('"""', "'''").split())
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."


def docstring(paragraphs: List[str]) -> str:
    """A docstring of a class. Paragraphs are wrapped unless they have lines already."""
    wrapped = "\n\n".join(
        each if "\n" in each else "\n".join(textwrap.wrap(each, 110, break_long_words=False)) for each in paragraphs
    )
    if wrapped.endswith('"'):
        wrapped += " "
    closing = '"""' if "\n" not in wrapped else '\n"""'
    return textwrap.indent(f'"""{wrapped}{closing}\n', "    ")

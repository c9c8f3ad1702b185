"""The package itself: generated files are current, a missing package is named, and it can be built."""

import ast
import importlib.util
import inspect
import json
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

from . import PYTHON

import tickwire

SOURCES = sorted((PYTHON / "tickwire").rglob("*.py"))
REFERENCE = PYTHON.parent / "docs/reference/python.md"


class Package(unittest.TestCase):
    def test_generated_files_are_current_and_marked(self) -> None:
        from generate import outdated
        from make_notebooks import NOTEBOOKS, text_of

        self.assertEqual(outdated(), [], "run python3 python/tools/generate.py")
        attributes = (PYTHON.parent / ".gitattributes").read_text()
        marked = re.findall(r"^((?:python|docs)/\S+) linguist-generated$", attributes, re.MULTILINE)
        generated = [
            str(file.relative_to(PYTHON.parent))
            for file in (*SOURCES, REFERENCE)
            if re.search("^Generated ", "\n".join(file.read_text().split("\n")[:6]), re.MULTILINE)
        ]
        self.assertEqual((sorted(generated), len(generated)), (sorted(marked), 5))
        for name in NOTEBOOKS:
            self.assertTrue((PYTHON / "notebooks" / name).read_text() == text_of(name), "run python3 python/tools/make_notebooks.py")

    def test_every_file_is_python_3_9(self) -> None:
        for folder in ("tickwire", "tests", "tools", "examples"):
            for file in (PYTHON / folder).rglob("*.py"):
                tree = ast.parse(file.read_text(), feature_version=(3, 9))
                self.assertFalse(any(isinstance(node, getattr(ast, "Match", ())) for node in ast.walk(tree)), file)
        for file in SOURCES:
            text = file.read_text()
            # Names that came after 3.9, and `X | Y` outside annotations, which are texts here.
            for name in (r"\banext\(", r"\baiter\(", "TaskGroup", r"asyncio\.timeout\b", "tomllib", "StrEnum", "NotRequired", "ParamSpec"):
                self.assertIsNone(re.search(name, text), f"{name} in {file}")
            if re.search(r"^(class|def|async def) ", text, re.MULTILINE) and file.name != "__init__.py":
                self.assertIn("from __future__ import annotations", text, str(file))
            self.assertEqual(_runtime_unions(ast.parse(text)), [], str(file))

    def test_every_public_name_has_a_description(self) -> None:
        missing = []
        for name in tickwire.__all__:
            value = getattr(tickwire, name)
            if not getattr(value, "__doc__", None):
                missing.append(name)
            for member, method in vars(value).items() if isinstance(value, type) else ():
                if callable(method) and not member.startswith("_") and not method.__doc__:
                    missing.append(f"{name}.{member}")
        self.assertEqual(missing, [])

    def test_every_method_of_the_clients_has_an_example(self) -> None:
        from tickwire.rest.sync_api import AccountApi, AdminApi, KeysApi, LinksApi, RestApi, UdfApi
        from tickwire.stream.sync_live import Live

        for group in (RestApi, AccountApi, KeysApi, LinksApi, UdfApi, AdminApi, Live):
            for name, method in vars(group).items():
                if not name.startswith("_"):
                    self.assertIn("Example:", method.__doc__ or "", f"{group.__name__}.{name}")
                    self.assertNotIn("await", method.__doc__ or "", f"{group.__name__}.{name}")

    def test_calls_in_the_examples_of_the_reference_fit_their_methods(self) -> None:
        names = {"client": tickwire.TickwireClient("http://127.0.0.1:1", "tw_key"), "tickwire": tickwire}
        checked = 0
        for block in re.findall(r"```python\n(.*?)```", REFERENCE.read_text(), re.DOTALL):
            try:
                tree = compile(block, REFERENCE.name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST)
            except SyntaxError:
                continue  # a signature
            for call in ast.walk(tree):
                if not isinstance(call, ast.Call) or any(isinstance(each, ast.Starred) for each in call.args):
                    continue
                path = ast.unparse(call.func)
                if not re.fullmatch(r"(client|tickwire)(\.\w+)+", path):
                    continue
                function = names[path.split(".")[0]]
                for name in path.split(".")[1:]:
                    self.assertTrue(hasattr(function, name), f"{path} in an example")
                    function = getattr(function, name)
                arguments = {keyword.arg: None for keyword in call.keywords if keyword.arg}
                with self.subTest(ast.unparse(call)):
                    inspect.signature(function).bind(*[None] * len(call.args), **arguments)
                checked += 1
        self.assertGreater(checked, 120)

    def test_the_version_is_that_of_the_npm_packages(self) -> None:
        npm = json.loads((PYTHON.parent / "packages/client/package.json").read_text())["version"]
        self.assertEqual(tickwire.__version__, npm)
        self.assertIn(f'version = "{npm}"', (PYTHON / "pyproject.toml").read_text())

    def test_a_missing_package_is_named(self) -> None:
        for package, needed in (
            ("httpx", "import tickwire"),
            ("websockets", "import tickwire"),
            ("cryptography", "import tickwire; tickwire.SigningKey.create()"),
            ("pandas", "import tickwire; tickwire.to_frame([])"),
            ("pyarrow", "import tickwire; tickwire.to_table([])"),
        ):
            # A module that is None cannot be imported.
            program = f"import sys; sys.modules[{package!r}] = None; {needed}"
            done = subprocess.run([sys.executable, "-c", program], cwd=PYTHON, capture_output=True, text=True)
            last = done.stderr.strip().split("\n")[-1]
            self.assertRegex(last, f"^ImportError: .* needs? {package}: pip install ")

    def test_packages_of_the_extras_are_imported_when_they_are_used(self) -> None:
        program = (
            "import sys, tickwire, tickwire.verify.command; "
            "print([name for name in ('cryptography', 'numpy', 'pandas', 'pyarrow') if name in sys.modules])"
        )
        done = subprocess.run([sys.executable, "-c", program], cwd=PYTHON, capture_output=True, text=True)
        self.assertEqual((done.stdout.strip(), done.stderr), ("[]", ""))

    @unittest.skipUnless(importlib.util.find_spec("setuptools"), "setuptools is not installed")
    def test_a_wheel_can_be_built_without_a_network(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = (
                "import os, sys, shutil; shutil.copytree(sys.argv[1], sys.argv[2] + '/source', "
                "ignore=shutil.ignore_patterns('build', '*.egg-info', '__pycache__', '.mypy_cache')); os.chdir(sys.argv[2] + '/source'); "
                "import setuptools.build_meta as backend; print(backend.build_wheel(sys.argv[2]))"
            )
            try:
                import wheel  # noqa: F401
            except ImportError:
                self.skipTest("wheel is not installed")
            done = subprocess.run([sys.executable, "-c", program, str(PYTHON), folder], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            built = next(Path(folder).glob("*.whl"))
            names = zipfile.ZipFile(built).namelist()
            self.assertIn("tickwire/py.typed", names)
            self.assertIn("tickwire/verify/tape_check.py", names)
            self.assertFalse([name for name in names if name.startswith(("tests", "tools"))])

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_type_checks(self) -> None:
        done = subprocess.run([sys.executable, "-m", "mypy", "tickwire"], cwd=PYTHON, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_documented_idioms_and_examples_type_check(self) -> None:
        """Each block as a program of its own, with what earlier blocks of its page leave."""
        known = {"client": "tickwire.TickwireClient", "ask": "float", "secret": "str"}
        with tempfile.TemporaryDirectory() as folder:
            for page in ("python/README.md", "docs/start/python.md", "docs/recipes/pandas.md"):
                text = (PYTHON.parent / page).read_text()
                for index, block in enumerate(re.findall(r"```python\n(.*?)```", text, re.DOTALL)):
                    left = [f"{name}: {kind}" for name, kind in known.items() if f"{name} = " not in block]
                    path = Path(folder, f"{re.sub(r'[^a-z]', '_', page.lower())}_{index}.py")
                    path.write_text("\n".join(["import tickwire", *left, block]))
            for file in (*(PYTHON / "examples").glob("*.py"), *(PYTHON.parent / "examples").glob("*.py")):
                Path(folder, f"{file.stem}_of_{file.parent.parent.name}.py".replace("-", "_")).write_text(file.read_text())
            command = [sys.executable, "-m", "mypy", folder]
            done = subprocess.run(command, cwd=PYTHON, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_code_of_the_readme_compiles(self) -> None:
        blocks = re.findall(r"```python\n(.*?)```", (PYTHON / "README.md").read_text(), re.DOTALL)
        self.assertGreater(len(blocks), 8)
        for block in blocks:
            compile(block, "README.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def _runtime_unions(tree: ast.AST) -> "list[str]":
    """`X | None` outside annotations."""
    return [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.BitOr)
        and any(isinstance(side, ast.Constant) and side.value is None for side in (node.left, node.right))
    ]


if __name__ == "__main__":
    unittest.main()

// The Python package: a wheel and an sdist, built by setuptools without a network.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from './repository.ts';

/** The hooks that `python3 -m build --no-isolation` calls, without the need to install it. */
const BUILD = `import sys, setuptools.build_meta as backend
out = sys.argv[1]
backend.build_sdist(out)
backend.build_wheel(out)`;
const LEFT_OUT = /\/(build|__pycache__|\.mypy_cache|[\w.]+\.egg-info)(\/|$)/;

/** Debian's Python has setuptools and wheel; another one in the path may not. */
export function findPython(modules: readonly string[] = ['setuptools', 'wheel']): string {
  const found = ['/usr/bin/python3', 'python3', 'python'].find(
    (python) => Bun.which(python) && Bun.spawnSync([python, '-c', `import ${modules.join(', ')}`]).exitCode === 0,
  );
  if (!found) throw new Error(`no Python with ${modules.join(' and ')} was found`);
  return found;
}

/** Returns the paths of the wheel and the sdist. */
export function packPython(out: string): string[] {
  const isBuilt = (name: string): boolean => /^tickwire-.*(\.whl|\.tar\.gz)$/.test(name);
  for (const name of readdirSync(out).filter(isBuilt)) rmSync(join(out, name));
  mkdirSync(out, { recursive: true });
  // A copy, since setuptools writes into the folder that it builds.
  const stage = mkdtempSync(join(tmpdir(), 'tickwire-python-'));
  cpSync(join(ROOT, 'python'), stage, {
    recursive: true,
    dereference: true,
    filter: (path) => !LEFT_OUT.test(path.slice(ROOT.length)),
  });
  run([findPython(), '-c', BUILD, out], { cwd: stage });
  rmSync(stage, { recursive: true });
  return readdirSync(out)
    .filter(isBuilt)
    .map((name) => join(out, name));
}

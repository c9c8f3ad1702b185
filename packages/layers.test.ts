// The rules of the house that a compiler does not know: which package may import which, and where the environment is read.
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Glob } from 'bun';

const ROOT = import.meta.dir;

/**
 * An import may only point to a package on the right: terminal → client → contract, house → client → contract and
 * server → engine → contract; sentiment stands alone under the server.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  sentiment: [],
  engine: ['contract'],
  client: ['contract'],
  terminal: ['client', 'contract'],
  // Example publishers: clients like anybody's, with no door of their own.
  house: ['client', 'contract'],
  // The server bundles the terminal's page as a file; it imports none of its code. The command that serves also starts the
  // house publishers: it hands them an address and keys, and they hold nothing else of it.
  server: ['engine', 'contract', 'terminal/index.html', 'house', 'sentiment'],
};

const files = [...new Glob('*/src/**/*.{ts,tsx}').scanSync(ROOT)];
const sourceOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const isTest = (file: string): boolean => /\.(test|fixture|contract)\.tsx?$/.test(file);

function importsOf(file: string): string[] {
  const pattern = /(?:from\s+|import\s*\(\s*|import\s+|import\.meta\.resolve\(\s*)'([^']+)'/g;
  return [...sourceOf(file).matchAll(pattern)].map((match) => match[1]!);
}

describe('layers', () => {
  test('there is something to check', () => {
    expect(files.length).toBeGreaterThan(100);
    expect([...new Set(files.map((file) => file.split('/')[0]!))].sort()).toEqual(Object.keys(ALLOWED).sort());
  });

  test('imports between packages only point down', () => {
    const wrong = files.flatMap((file) => {
      const own = file.split('/')[0]!;
      return importsOf(file)
        .filter((name) => name.startsWith('@tickwire/'))
        .map((name) => name.slice('@tickwire/'.length))
        .filter((target) => target !== own && !ALLOWED[own]!.includes(target))
        .map((target) => `${file} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test('no relative import leaves its package', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((name) => name.startsWith('.'))
        .filter((name) =>
          relative(join(ROOT, file.split('/')[0]!), resolve(ROOT, dirname(file), name)).startsWith('..'),
        )
        .map((name) => `${file} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test('the engine knows no I/O and no clock', () => {
    const forbidden = /\bDate\b|\bprocess\b|\bBun\b|\bperformance\b|setTimeout|setInterval|Math\.random|'node:|'bun/;
    const wrong = files
      .filter((file) => file.startsWith('engine/') && !isTest(file))
      .filter((file) => forbidden.test(code(file)));
    expect(wrong).toEqual([]);
  });

  test('the environment is read in one file', () => {
    const wrong = files.filter((file) => !isTest(file) && /process\.env|Bun\.env|import\.meta\.env/.test(code(file)));
    expect(wrong).toEqual(['server/src/config.ts']);
  });

  test('browsers get no schema library: client and terminal take only types from the contract', () => {
    const wrong = files
      .filter((file) => /^(client|terminal)\//.test(file) && !isTest(file))
      .filter((file) => /^(import|export)(?! type)[^;]*from '@tickwire\/contract'/m.test(sourceOf(file)));
    expect(wrong).toEqual([]);
  });
});

/** Source without comments. */
const code = (file: string): string => sourceOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');

// Quick tests pass on a busy machine: none asserts how long something took, none sleeps long, and none has a time limit of its own,
// which would be shorter than that of `npm test`. Slow tests may.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Glob } from 'bun';

const ROOT = resolve(import.meta.dir, '..');
const MAX_SLEEP_MS = 200;

/** Quick test files, and the suites they import, as paths from the root of the repository. */
function quickTests(): string[] {
  const paths = [...new Glob('{packages,deploy,examples,tools}/**/*.test.{ts,tsx}').scanSync(ROOT)].filter(
    (path) => !path.includes('node_modules/') && !path.endsWith('.slow.test.ts'),
  );
  const suites = paths.flatMap((path) =>
    [...read(path).matchAll(/from '(\.[^']+\.suite\.ts)'/g)].map(([, name]) =>
      relative(ROOT, resolve(ROOT, dirname(path), name!)),
    ),
  );
  return [...new Set([...paths, ...suites])].sort();
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Numbers of the lines that depend on the speed of the machine. */
function findTimed(source: string): number[] {
  const isTimed = (line: string): boolean => {
    const sleep = /\bsleep(?:Sync)?\(([\d_]+)\)/.exec(line)?.[1] ?? '0';
    return (
      Number(sleep.replaceAll('_', '')) >= MAX_SLEEP_MS ||
      /\bexpect\(.*performance\.now\(\)|performance\.now\(\) - \w+ *[<>]/.test(line) ||
      /\bsetDefaultTimeout\(|^ *\}, [\d_]{4,}\);$/.test(line)
    );
  };
  return source.split('\n').flatMap((line, index) => (isTimed(line) ? [index + 1] : []));
}

test('no quick test asserts elapsed time, sleeps for 200 ms or more, or limits its own time', () => {
  const paths = quickTests().filter((path) => path !== 'packages/quick-tests.test.ts');
  expect(paths.length).toBeGreaterThan(500);
  expect(paths.flatMap((path) => findTimed(read(path)).map((line) => `${path}:${line}`))).toEqual([]);
});

test('finds them', () => {
  const timed =
    'await Bun.sleep(1_500);\nexpect(performance.now() - at).toBe(1);\nx = performance.now() - at < 5;\n}, 15_000);';
  expect(findTimed(timed)).toEqual([1, 2, 3, 4]);
  expect(findTimed('await Bun.sleep(150);\nconst at = performance.now();')).toEqual([]);
});

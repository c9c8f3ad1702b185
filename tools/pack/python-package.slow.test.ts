// The Python package: wheel and sdist are built and installed without a network.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BARE, emptyFolder, runIn } from './installed.fixture.ts';
import { findPython, packPython } from './python-package.ts';
import { productVersion, run } from './repository.ts';

const MAX_BYTES = 300e3;

if (process.env.TICKWIRE_TEST_PACKAGES !== 'later') {
  const out = emptyFolder();
  let python: string;
  let built: string[];

  beforeAll(() => {
    python = findPython(['setuptools', 'wheel', 'pip']);
    built = packPython(out);
  }, 60_000);
  afterAll(() => rmSync(out, { recursive: true, force: true }));

  test('has a wheel and an sdist, both small', () => {
    const version = productVersion();
    expect(built.map((file) => file.slice(out.length + 1)).sort()).toEqual([
      `tickwire-${version}-py3-none-any.whl`,
      `tickwire-${version}.tar.gz`,
    ]);
    for (const file of built) expect(statSync(file).size).toBeLessThan(MAX_BYTES);
  });

  test.each(['.whl', '.tar.gz'])(
    'installs from the %s without a network',
    (ending) => {
      const folder = emptyFolder();
      const file = built.find((each) => each.endsWith(ending))!;
      const options = ['--no-index', '--no-build-isolation', '--no-deps', '--disable-pip-version-check', '--quiet'];
      run([python, '-m', 'pip', 'install', ...options, '--target', folder, file], { env: BARE });
      const program =
        'import sys; sys.path.insert(0, sys.argv[1]); import tickwire, tickwire.verify.command; print(tickwire.__version__, tickwire.__file__)';
      expect(runIn(folder, [python, '-S', '-c', program, folder])).toEqual({
        status: 0,
        out: `${productVersion()} ${join(folder, 'tickwire/__init__.py')}\n`,
      });
      expect([...new Bun.Glob('tickwire-*/**/LICENSE').scanSync(folder)]).toHaveLength(1);
      rmSync(folder, { recursive: true });
    },
    60_000,
  );
}

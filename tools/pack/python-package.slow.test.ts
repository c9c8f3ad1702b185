// The Python package: wheel and sdist are built and installed without a network. Its dependencies are the packages of the system.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { blocksOf } from '../guide/blocks.ts';
import { BARE, emptyFolder, runIn } from './installed.fixture.ts';
import { findPython, packPython } from './python-package.ts';
import { productVersion, run } from './repository.ts';

const MAX_BYTES = 300e3;

const out = emptyFolder();
let python: string;
let built: string[];

beforeAll(() => {
  python = findPython(['setuptools', 'wheel', 'pip', 'venv', 'httpx', 'websockets', 'cryptography']);
  built = packPython(out);
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

test('has a wheel and an sdist, both small', () => {
  const version = productVersion();
  expect(built.map((file) => file.slice(out.length + 1)).sort()).toEqual([
    `tickwire-${version}-py3-none-any.whl`,
    `tickwire-${version}.tar.gz`,
  ]);
  for (const file of built) expect(statSync(file).size).toBeLessThan(MAX_BYTES);
});

test('installs with the commands of docs/start/python.md', () => {
  const page = readFileSync(join(import.meta.dir, '../../docs/start/python.md'), 'utf8');
  const [{ text: commands } = { text: '' }] = blocksOf(page).filter(({ directive }) => directive.kind === 'not run');
  const folder = emptyFolder();
  cpSync(join(import.meta.dir, '../../python'), join(folder, 'python'), { recursive: true });
  const { stdout } = Bun.spawnSync([python, '-c', 'import setuptools; print(setuptools.__path__[0])']);
  const env = {
    PATH: `${dirname(python)}:${BARE.PATH}`,
    PIP_NO_INDEX: '1',
    // The name says the opposite: this turns the isolation off.
    PIP_NO_BUILD_ISOLATION: '0',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PYTHONPATH: dirname(stdout.toString().trim()),
  };
  const asked = 'cd / && python3 -c "import tickwire; print(tickwire.__file__)"';
  const { status, out: printed } = runIn(folder, ['bash', '-ec', `{ ${commands}\n} >&2\n${asked}`], env);
  expect([status, printed]).toEqual([0, expect.stringContaining(join(folder, '.venv/'))]);
  rmSync(folder, { recursive: true });
});

test.each(['.whl', '.tar.gz'])('installs from the %s without a network', (ending) => {
  const folder = emptyFolder();
  const file = built.find((each) => each.endsWith(ending))!;
  const options = ['--no-index', '--no-build-isolation', '--disable-pip-version-check', '--quiet'];
  run([python, '-m', 'venv', '--system-site-packages', folder], { env: BARE });
  const installed = join(folder, 'bin/python');
  run([installed, '-m', 'pip', 'install', ...options, `${file}[verify]`], { env: BARE });
  const program =
    'import tickwire, tickwire.verify.command; tickwire.SigningKey.create(); print(tickwire.__version__, tickwire.__file__)';
  expect(runIn(folder, [installed, '-c', program])).toEqual({
    status: 0,
    out: expect.stringContaining(`${productVersion()} ${folder}/lib/`),
  });
  expect([...new Bun.Glob('lib/**/tickwire-*/**/LICENSE').scanSync(folder)]).toHaveLength(1);
  rmSync(folder, { recursive: true });
});

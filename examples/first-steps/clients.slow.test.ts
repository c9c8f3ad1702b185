// Users of the clients go from an empty folder to their goal.
import { expect, test } from 'bun:test';
import { symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../../packages/server/testing/free-port.fixture.ts';
import { reportSkipped } from '../../packages/server/testing/skipped.fixture.ts';
import { nodeFolder } from '../../tools/pack/consumers.fixture.ts';
import { Stranger } from '../testing/first-steps.fixture.ts';

const TEST_MS = 600_000;
/** Debian's Python, with the packages that the notebook needs. */
const PYTHON = '/usr/bin/python3';
const NEEDED = ['setuptools', 'pip', 'venv', 'httpx', 'websockets', 'pandas', 'ipykernel', 'nbclient'];
const probe = Bun.spawnSync([PYTHON, '-c', `import ${NEEDED}; print(setuptools.__path__[0])`]);
const hasPython = probe.exitCode === 0;
if (!hasPython) reportSkipped('the notebook of the first steps', `${PYTHON} lacks one of ${NEEDED.join(', ')}`);

async function settings(): Promise<Record<string, string>> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  return { TICKWIRE_PORT: port, TICKWIRE_URL: url, TICKWIRE_METRICS_PORT: 'off', TICKWIRE_NEWS: 'none' };
}

test(
  'a bot goes on after a restart of the service, in Node 22',
  async () => {
    using stranger = new Stranger();
    const env = { ...(await settings()), PATH: `${nodeFolder(22)}:${process.env.PATH}` };
    expect(await stranger.run('bot.sh', [], env)).toMatch(/^== Done: the bot published \d+ signals/);
  },
  TEST_MS,
);

test.skipIf(!hasPython)(
  'a notebook has the hours of a year and two symbols in a frame',
  async () => {
    using stranger = new Stranger();
    const bin = stranger.extra;
    symlinkSync(PYTHON, join(bin, 'python3'));
    // What pip would install from the index: the packages are Debian's, the command and its kernel are those of the environment.
    const jupyter = `#!/bin/sh
shift
python3 -m ipykernel install --sys-prefix
exec python3 -c 'from nbclient.cli import main; main()' "$@"`;
    writeFileSync(join(bin, 'jupyter'), jupyter, { mode: 0o755 });
    const env = {
      ...(await settings()),
      PATH: `${bin}:${process.env.PATH}`,
      PIP_NO_INDEX: '1',
      // The name says the opposite: this turns the isolation off.
      PIP_NO_BUILD_ISOLATION: '0',
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      PYTHONPATH: dirname(probe.stdout.toString().trim()),
      PYDEVD_DISABLE_FILE_VALIDATION: '1',
    };
    expect(await stranger.run('notebook.sh', [], env)).toBe('== Done: 8760 hours of two symbols');
  },
  TEST_MS,
);

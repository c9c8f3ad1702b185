// One suite of forged logs for both verifiers: `tickwire verify --url` and `tickwire-verify` of the Python package. Both must come to the
// same verdict, with the same numbered findings.
import { afterAll, expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHere } from '../../../testing/command.fixture.ts';
import { clientPython, NO_CLIENT_PYTHON } from '../../../testing/python.fixture.ts';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { DAY, type ForgedLog, forgedLogs } from '../../../testing/signals/forged-logs.fixture.ts';
import { serveLog } from '../../../testing/signals/log-service.fixture.ts';
import { reportSkipped } from '../../../testing/skipped.fixture.ts';
import { FINDING_CODES } from './findings.ts';
import { UNPROVED_CODES } from './not-proved.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const PYTHON = join(import.meta.dir, '../../../../../python');
const KEY = 'tw_any';

interface Verdict {
  readonly status: number;
  readonly findings: readonly string[];
  readonly notProved: readonly string[];
}

type Report = Record<'findings' | 'not_proved', readonly { code: string }[]>;
const codes = (items: Report[keyof Report]): string[] => [...new Set(items.map(({ code }) => code))].sort();

function verdictOf(status: number, out: string): Verdict {
  const report = JSON.parse(out) as Report;
  return { status, findings: codes(report.findings), notProved: codes(report.not_proved) };
}

async function withService<T>(forged: ForgedLog, run: (args: string[]) => Promise<T>): Promise<T> {
  const server = serveLog({ ...forged, day: DAY });
  const heads = join(folder, 'heads.jsonl');
  writeFileSync(heads, forged.outside.map((head) => `${JSON.stringify(head)}\n`).join(''));
  try {
    return await run(['--url', server.url.origin, '--json', ...(forged.outside.length > 0 ? ['--heads', heads] : [])]);
  } finally {
    await server.stop(true);
  }
}

const engine = (forged: ForgedLog): Promise<Verdict> =>
  withService(forged, async (args) => {
    const { status, out } = await runHere(['verify', ...args], { api_key: KEY });
    return verdictOf(status, out);
  });

const python = (forged: ForgedLog): Promise<Verdict> =>
  withService(forged, async (args) => {
    const child = Bun.spawn([clientPython!, '-m', 'tickwire.verify.command', ...args], {
      cwd: PYTHON,
      env: { ...process.env, TICKWIRE_API_KEY: KEY },
    });
    const out = await new Response(child.stdout).text();
    return verdictOf(await child.exited, out);
  });

if (!clientPython) reportSkipped('forged logs in Python', NO_CLIENT_PYTHON);
for (const forged of forgedLogs()) {
  const { name, status } = forged;
  const expected = { status, findings: forged.findings.toSorted(), notProved: forged.notProved.toSorted() };
  test(`tickwire verify: ${name}`, async () => {
    expect(await engine(forged)).toEqual(expected);
  });
  test.skipIf(!clientPython)(`tickwire-verify: ${name}`, async () => {
    expect(await python(forged)).toEqual(expected);
  });
}

test.skipIf(!clientPython)('the numbered lists of docs/reference/signals.md are those of both verifiers', () => {
  const page = readFileSync(join(PYTHON, '../docs/reference/signals.md'), 'utf8');
  const listed = (letter: string): string[] =>
    [...page.matchAll(new RegExp(`^\\| \\*\\*${letter}(\\d+)\\*\\* \\| \`(\\w+)\``, 'gm'))].map(
      ([, n, code]) => `${n} ${code}`,
    );
  const numbered = (list: readonly string[]): string[] => list.map((code, index) => `${index + 1} ${code}`);
  expect(listed('F')).toEqual(numbered(FINDING_CODES));
  expect(listed('N')).toEqual(numbered(UNPROVED_CODES));
  const script =
    'import json; from tickwire.verify.findings import CODES, UNPROVED_CODES; print(json.dumps([CODES, UNPROVED_CODES]))';
  const { stdout } = Bun.spawnSync([clientPython!, '-c', script], { cwd: PYTHON });
  expect(JSON.parse(stdout.toString())).toEqual([FINDING_CODES, UNPROVED_CODES]);
});

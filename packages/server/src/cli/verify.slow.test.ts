import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogHead } from '@tickwire/contract';
import { runHere } from '../../testing/command.fixture.ts';
import { runTickwire } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { writeRealLog } from '../../testing/signals/real-log.fixture.ts';
import { LogFile, rewritten } from '../../testing/signals/tampering.fixture.ts';
import type { LogLine } from '../signals/verify/check-log.ts';

const data = temporaryFolder();
const folders = [data];
let head: LogHead;
let lines: LogLine[];

beforeAll(async () => {
  head = (await writeRealLog({ folder: data })).head();
  const file = new LogFile(data);
  lines = file.lines();
  file.close();
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
const copy = (): string => {
  folders.push(temporaryFolder());
  cpSync(data, folders.at(-1)!, { recursive: true });
  return folders.at(-1)!;
};
const verify = (args: string[], settings: Record<string, string> = { data }) => runHere(['verify', ...args], settings);

test('a valid log gives a summary of the checks and status 0', async () => {
  const heads = join(data, 'heads.jsonl');
  writeFileSync(heads, `${JSON.stringify(head)}\n`);
  const { status, out, err } = await runTickwire(['verify', '--heads', heads], { data });
  expect([status, err]).toEqual([0, '']);
  expect(out).toMatch(/: \d+ records checked in [\d.]+ s\n/);
  expect(out).toContain(`  chain      intact up to record ${head.n}: ${head.hash}\n`);
  expect(out).toMatch(/signals {4}\d+ published, \d+ closed, \d+ active\n/);
  expect(out).toMatch(/evidence {3}(\d+) of \1 closings recomputed/);
  expect(out).toMatch(/tape {7}(\d+) of \1 closed signals judged again from [\d,]+ ticks\n/);
  expect(out).toContain('  seals      3 days sealed: 3 intact, 0 missing\n');
  expect(out).toContain('  heads      1 head checked against the log\n');
  expect(out).toContain(
    '  judge      the engine, which also judged for the service. A fault of the engine is found by tickwire-verify',
  );
  expect(out).toContain('  result     no faults found\n');
});

test('prints the result as JSON', async () => {
  const { status, out } = await verify(['--json']);
  expect(status).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    ok: true,
    records: head.n + 1,
    chain_ok: true,
    faults: 0,
    tape: { unchecked: {} },
  });
});

test('reports each fault in a line, with status 1', async () => {
  const folder = copy();
  const file = new LogFile(folder);
  file.replace(
    rewritten(lines, (drafts) => {
      drafts.find(({ type }) => type === 'closed')!.pnl = 99;
    }),
  );
  file.close();
  const { status, out } = await verify([], { data: folder });
  expect(status).toBe(1);
  expect(out).toContain('  result     1 FAULT\n');
  expect(out).toMatch(/\n {4}record \d+: sig_[0-9a-f]+: pnl is 99: recomputed -?[\d.]+ \(F34 pnl\)\n/);
  expect(out).toMatch(/\n {2}not proved .* \(N9 declared_gaps\)\n$/);
});

test('detects a rewritten tail with heads stored elsewhere', async () => {
  const folder = copy();
  const heads = join(folder, 'heads.jsonl');
  writeFileSync(heads, `${JSON.stringify(head)}\n{"log":"cut of`);
  const file = new LogFile(folder);
  file.replace(
    rewritten(lines, (drafts) => {
      drafts.at(-1)!.at = '2026-03-03T00:30:00.001Z';
    }),
  );
  file.close();
  expect((await verify([], { data: folder })).status).toBe(0);
  const { status, out, err } = await verify(['--heads', heads], { data: folder });
  expect(status).toBe(1);
  expect(out).toContain(`the head in ${heads}:1 says record ${head.n} had the hash ${head.hash}; now it is`);
  expect(err).toContain('that are not heads and were not checked: 1');
});

test('fails with status 1 if lines of the heads file could not be checked', async () => {
  const heads = join(data, 'cut-off.jsonl');
  writeFileSync(heads, `${JSON.stringify(head)}\n{"log":"cut of`);
  const { status, out, err } = await verify(['--heads', heads]);
  expect([status, out.includes('no faults found')]).toEqual([1, true]);
  expect(err).toContain('that are not heads and were not checked: 1');
});

test('reports a missing tape separately, with a status of its own', async () => {
  const folder = copy();
  for (const name of ['tape', 'evidence']) rmSync(join(folder, 'sim', name), { recursive: true });
  const { status, out } = await verify([], { data: folder });
  expect(status).toBe(3);
  expect(out).toMatch(/unchecked {2}\d+ signals: the tape of a day is missing/);
  expect(out).toMatch(/\n {4}sig_[0-9a-f]+ {2}[A-Z]+ of 2026-03-0[23]\n/);
  // Another folder may still have them.
  const kept = await verify(['--tape', join(data, 'sim')], { data: folder });
  expect(kept.out).toMatch(/tape {7}(\d+) of \1 closed signals judged again/);
});

describe('the log of another service', () => {
  const key = 'tw_reader_secret';
  interface Elsewhere {
    readonly log: readonly LogLine[];
    readonly head: LogHead;
    readonly busy?: number;
  }
  async function elsewhere(
    { log, head: told, busy = 0 }: Elsewhere,
    work: (url: string, asked: string[]) => Promise<void>,
  ): Promise<void> {
    let left = busy;
    const asked: string[] = [];
    const server = Bun.serve({
      port: 0,
      fetch(request) {
        const { pathname, searchParams } = new URL(request.url);
        asked.push(pathname + new URL(request.url).search);
        if (request.headers.get('X-API-Key') !== key) return new Response(null, { status: 401 });
        if (pathname.endsWith('/head')) return Response.json(told);
        // As an older release: it keeps no heads and serves no tape.
        if (pathname !== '/api/signals/log') return new Response(null, { status: 404 });
        if (left-- > 0) return new Response(null, { status: 429, headers: { 'Retry-After': '1' } });
        const after = Number(searchParams.get('after'));
        const items = log.slice(after + 1, after + 21).map(({ hash, text }) => ({ hash, record: JSON.parse(text) }));
        return Response.json({ items, count: items.length, next: null });
      },
    });
    try {
      await work(server.url.origin, asked);
    } finally {
      await server.stop(true);
    }
  }
  const over = (url: string, ...args: string[]) => verify(['--url', url, ...args], { api_key: key });

  test('is read page by page, with retries while it is busy, and its head is checked', async () => {
    await elsewhere({ log: lines, head, busy: 1 }, async (url, asked) => {
      const { status, out, err } = await over(url, '--tape', join(data, 'sim'));
      expect([status, err]).toEqual([0, '']);
      expect(out).toContain(`${lines.length} records checked`);
      expect(out).toContain('1 head checked against the log');
      expect(out).toMatch(/tape {7}(\d+) of \1 closed signals judged again/);
      expect(asked.slice(0, 4)).toEqual([
        '/api/signals/head',
        '/api/signals/heads?after=-1&limit=1000',
        ...Array(2).fill('/api/signals/log?after=-1&limit=1000'),
      ]);
    });
  });

  test('is checked without a tape if there is none, and the summary says so', async () => {
    await elsewhere({ log: lines, head }, async (url) => {
      const { status, out } = await over(url);
      expect(status).toBe(3);
      expect(out).toMatch(/unchecked {2}\d+ signals: the tape of a day is missing/);
      expect(out).toContain('  seals      3 days sealed: 0 intact, 3 missing\n');
    });
  });

  test('fails with a head that does not match or is not signed by the key of the log', async () => {
    const forged = rewritten(lines, (drafts) => {
      drafts.at(-1)!.at = '2026-03-03T00:30:00.001Z';
    });
    await elsewhere({ log: forged, head }, async (url) => {
      const { status, out } = await over(url);
      expect([status, out.includes('(F39 head)')]).toEqual([1, true]);
    });
    await elsewhere({ log: lines, head: { ...head, signature: '00'.repeat(64) } }, async (url) => {
      const { status, out } = await over(url);
      expect([status, out.includes('is not signed by the key it names')]).toEqual([1, true]);
    });
    await elsewhere({ log: lines.slice(0, -1), head }, async (url) => {
      const { status, out } = await over(url);
      expect([status, out.includes('but the log ends at')]).toEqual([1, true]);
    });
  });

  test('fails with a changed record', async () => {
    const changed = lines.with(3, { ...lines[3]!, text: lines[3]!.text.replace('"rules":2', '"rules":2,"x":0') });
    await elsewhere({ log: changed, head }, async (url) => {
      const { status, out } = await over(url);
      expect([status, out.includes('record 3: its hash is')]).toEqual([1, true]);
    });
  });

  test('gives a one-line error if the service cannot be read', async () => {
    await elsewhere({ log: lines, head }, async (url) => {
      const refused = await verify(['--url', url], { api_key: 'tw_wrong' });
      expect([refused.status, refused.out]).toEqual([1, '']);
      expect(refused.err).toMatch(/^tickwire: .* rejects the key \(401\): set TICKWIRE_API_KEY .*\n$/);
    });
    const away = await verify(['--url', 'http://127.0.0.1:9'], { api_key: key });
    expect([away.status, away.err.trim().split('\n').length]).toEqual([1, 1]);
    expect(away.err).toContain('does not respond');
  });
});

test('invalid arguments give a one-line error and status 2', async () => {
  const cases: [string[], Record<string, string>, RegExp][] = [
    [['now'], { data }, /usage: tickwire verify/],
    [['--nonsense'], { data }, /nonsense/],
    [['--url', 'elsewhere'], { api_key: 'x' }, /--url is "elsewhere"/],
    [['--url', 'http://127.0.0.1:9'], {}, /TICKWIRE_API_KEY is missing/],
    [['--heads', 'none.jsonl'], { data }, /--heads is "none.jsonl"/],
    [['--tape', 'nowhere'], { data }, /--tape is "nowhere"/],
  ];
  for (const [args, settings, says] of cases) {
    const { status, out, err } = await verify(args, settings);
    expect([args, status, out, err.trim().split('\n').length]).toEqual([args, 2, '', 1]);
    expect(err).toMatch(says);
  }
  const nothing = await verify([], { data: join(data, 'nowhere') });
  expect([nothing.status, nothing.err]).toEqual([1, expect.stringContaining('there is no signal log in')]);
});

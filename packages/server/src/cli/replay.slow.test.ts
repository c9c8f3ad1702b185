import { afterAll, expect, test } from 'bun:test';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { runHere } from '../../testing/command.fixture.ts';
import { runTickwire } from '../../testing/process.fixture.ts';
import { makeKey, spawnTickwire, temporaryFolder } from '../../testing/service.fixture.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { decodeBlock } from '../store/tape-block.ts';

const data = temporaryFolder();
const running: { kill(signal: NodeJS.Signals): void; exited: Promise<number> }[] = [];
afterAll(async () => {
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(running.map(({ exited }) => exited));
  rmSync(data, { recursive: true, force: true });
});

const START = Date.UTC(2024, 0, 2);
const path = join(data, 'recording.csv');
writeFileSync(
  path,
  `time,bid,ask\n${Array.from({ length: 20_000 }, (_, index) => `${START + index * 100},1.100${index % 10},1.101${index % 10}\n`).join('')}`,
);
const settings = { data, port: '0', metrics_port: 'off', log: 'error' };

test('plays a recording to its end, and again from the beginning, in a separate realm', async () => {
  for (const speed of ['max', '100000']) {
    const args = ['replay', path, '--symbol', 'EURUSD', '--speed', speed, '--exit'];
    const { status, out, err } = await runTickwire(args, settings);
    // A slow machine also reports its progress.
    expect([status, err.replace(/^EURUSD +\d+% .* left\n/gm, '')]).toEqual([0, '']);
    expect(out).toMatch(/EURUSD: 20,000 rows played in [\d.]+ s, [\d,]+ rows\/s, up to 2024-01-02T00:33:19.900Z\n$/);
  }
  expect([
    existsSync(join(data, 'replay', 'market.db')),
    existsSync(join(data, 'live')),
    existsSync(join(data, 'sim')),
  ]).toEqual([true, false, false]);
  const store = openSqliteStore({ folder: data, realm: 'replay', exclusive: true });
  const blocks = await store.market.tape(0);
  await store.close();
  const sources = blocks.flatMap(({ bytes, symbol, minute }) =>
    decodeBlock(bytes, symbol, minute).map(({ source }) => source),
  );
  expect([sources.length, new Set(sources)]).toEqual([20_000, new Set(['replay'])]);
});

test('counts a price jump at the end, which nothing confirms, as rejected', async () => {
  const jump = join(data, 'jump.csv');
  writeFileSync(
    jump,
    `time,bid,ask\n${[1.1, 1.2, 1.2001, 1.3].map((bid, at) => `${START + at},${bid},${bid}\n`).join('')}`,
  );
  const { out } = await runTickwire(['replay', jump, '--symbol', 'EURUSD', '--speed', 'max', '--exit'], settings);
  expect(out).toMatch(/EURUSD: 4 rows played in .*; rejected: 1 spike\n$/);
});

test('serves REST during and after the replay, on the clock of the recording', async () => {
  const { key } = await makeKey(data, 'premium', ['read']);
  const child = spawnTickwire(['replay', path, '--symbol', 'EURUSD', '--speed', 'max'], settings);
  let out = '';
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) out += decoder.decode(chunk, { stream: true });
  })();
  running.push(child);
  while (!out.includes('The replay has ended')) await Bun.sleep(10);
  const url = /at (http\S+)/.exec(out)![1]!;
  const get = async (query: string) =>
    (await (await fetch(`${url}/api/market/EURUSD${query}`, { headers: { 'X-API-Key': key } })).json()) as {
      ohlcv: { time: string; volume: number }[];
      quote: { timestamp: string };
    };
  const { ohlcv, quote } = await get('?timeframe=1m&bars=100');
  expect(ohlcv).toHaveLength(34);
  // The last minute stays open until the clock of the recording moves on.
  expect(ohlcv.at(-1)).toMatchObject({ time: '2024-01-02T00:33:00.000Z', volume: 200 });
  expect(quote.timestamp).toBe('2024-01-02T00:33:19.900Z');
  expect((await get(`?timeframe=1m&from=${START}&to=${START + 2 * MINUTE_MS}`)).ohlcv).toHaveLength(2);
  const second = await runTickwire(['replay', path, '--symbol', 'EURUSD'], settings);
  expect(second.err).toMatch(/is in use by another Tickwire/);
  child.kill('SIGINT');
  expect(await child.exited).toBe(0);
  await reading;
});

test('an interrupted replay with --exit ends with status 130', async () => {
  const child = spawnTickwire(['replay', path, '--symbol', 'EURUSD', '--exit'], settings);
  running.push(child);
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  expect(new TextDecoder().decode(value)).toContain('Replaying EURUSD at http');
  child.kill('SIGINT');
  expect(await child.exited).toBe(130);
});

test('invalid arguments and recordings give a one-line error', async () => {
  const hours = join(data, 'XH1.csv');
  writeFileSync(hours, `time,open,high,low,close\n${START},1,2,1,2\n${START + HOUR_MS},1,2,1,2\n`);
  const cases: [string[], number, RegExp][] = [
    [[path, '--symbol', 'EURUSD', '--speed', 'fast'], 2, /--speed is "fast"/],
    [['--symbol', 'EURUSD'], 2, /usage: tickwire replay/],
    [[path, '--symbol', 'NOPE'], 1, /there is no instrument NOPE/],
    [
      [hours, '--symbol', 'EURUSD', '--speed', 'max'],
      1,
      /its bars have the timeframe 1h: only ticks and 1m bars can be replayed/,
    ],
    [[join(data, 'none.csv'), '--symbol', 'EURUSD'], 1, /cannot be opened/],
  ];
  for (const [args, status, says] of cases) {
    const ran = await runHere(['replay', ...args, '--exit'], settings);
    expect({ args, status: ran.status }).toEqual({ args, status });
    expect(ran.err).toMatch(says);
    expect(ran.err.trim().split('\n')).toHaveLength(1);
  }
});

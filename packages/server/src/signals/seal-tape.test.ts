import { afterAll, beforeEach, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { asEpochMs, DAY_MS, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { bar, EURUSD, MONDAY, quote, trade, XAUUSD } from '../../testing/store/samples.fixture.ts';
import { StoreError } from '../errors/store-error.ts';
import { createLog } from '../ops/log.ts';
import { encodeCrossedQuotes } from '../store/crossed-quotes.ts';
import type { TapeBlock, TapeRecord } from '../store/market-store.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { encodeBlock } from '../store/tape-block.ts';
import { encodeMinute } from '../store/tape-minute.ts';
import { type SealedDay, sealTapeDays } from './seal-tape.ts';

const NOON = MONDAY + DAY_MS / 2;
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

let folder: string;
let store: Store;
let said: string[];
let missingDays: Set<string>;
let sealed: SealedDay[];
beforeEach(() => {
  folder = temporaryFolder();
  folders.push(folder);
  store = openSqliteStore({ folder, realm: 'live', exclusive: false });
  said = [];
  missingDays = new Set();
  sealed = [];
});

const block = (records: TapeRecord[], encode = encodeBlock): TapeBlock => {
  const minute = records[0]!.event.time - (records[0]!.event.time % MINUTE_MS);
  const { symbol } = records[0]!.event;
  const bytes = encode(records, minute, 5);
  return {
    symbol,
    minute: asEpochMs(minute),
    firstSeq: records[0]!.seq,
    count: records.length,
    bidVolume: 0,
    askVolume: 0,
    bytes,
  };
};
const tick = (seq: number, time: number, source = 'oanda'): TapeRecord => ({
  seq,
  event: { ...quote, time: asEpochMs(time) },
  source,
});

/** Seals these days, as if signals had needed them. */
const seal = (now: number, days: { day: string; symbol: MarketSymbol }[]): Promise<number> =>
  sealTapeDays({
    store: { market: store.market, signals: { ...store.signals, unsealed: async () => days } },
    folder: join(folder, 'live'),
    now,
    log: createLog({ level: 'info', plain: true, write: (line) => said.push(line) }),
    missingDays,
    seal: async (each) => void sealed.push(each),
  });
const DAY_NAME = '2026-03-02';
const EVENING = MONDAY + DAY_MS + 16 * MINUTE_MS;
const eurusd = [{ day: DAY_NAME, symbol: EURUSD }];
const contentOf = (symbol: string): string =>
  gunzipSync(readFileSync(join(folder, 'live', 'evidence', DAY_NAME, `${symbol}.jsonl.gz`))).toString();

test('writes a day line by line as documented, and returns the hash of its content', async () => {
  await store.market.writeTape([
    block([tick(5, NOON), { seq: 7, event: { ...trade, time: asEpochMs(NOON + 1) }, source: 'oanda' }]),
    encodeMinute(9, { kind: 'minute', symbol: EURUSD, bar: bar({ time: asEpochMs(NOON + MINUTE_MS) }) }, 'oanda'),
  ]);
  expect(await seal(EVENING, eurusd)).toBe(1);
  const content = contentOf('EURUSD');
  expect(content).toBe(
    `{"seq":5,"time":${NOON},"bid":1.1,"ask":1.2,"source":"oanda"}\n` +
      `{"seq":7,"time":${NOON + 1},"price":1.15,"side":"sell","source":"oanda"}\n` +
      `{"seq":9,"time":${NOON + MINUTE_MS},"open":1.1,"high":1.3,"low":1.05,"close":1.2}\n`,
  );
  const sha256 = createHash('sha256').update(content).digest('hex');
  expect(sealed).toEqual([{ day: DAY_NAME, symbol: EURUSD, ticks: 3, sha256 }]);
  expect(readdirSync(join(folder, 'live', 'evidence', DAY_NAME))).toEqual(['EURUSD.jsonl.gz']);
});

test('puts late ticks in order of seq and leaves out imported and crossed ticks', async () => {
  await store.market.writeTape([
    // An import has merged the blocks of the first minute, late ticks included.
    block([tick(1, NOON), tick(2, NOON + 1), tick(8, NOON + 2), tick(12, NOON + 3), tick(900, NOON + 4, 'import')]),
    block([tick(3, NOON + MINUTE_MS), tick(7, NOON + MINUTE_MS + 1)]),
    block([tick(9, NOON + 2 * MINUTE_MS)]),
    // A late tick as the recorder writes it: in a second block of an older minute.
    block([tick(10, NOON + MINUTE_MS + 2), tick(11, NOON + MINUTE_MS + 3)]),
    block([tick(13, NOON + 3 * MINUTE_MS)]),
    block([tick(14, NOON + 4 * MINUTE_MS, 'import')]),
    block([tick(15, NOON + 5 * MINUTE_MS)], encodeCrossedQuotes),
  ]);
  await seal(EVENING, eurusd);
  const seqs = contentOf('EURUSD')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { seq: number }).seq);
  expect(seqs).toEqual([1, 2, 3, 7, 8, 9, 10, 11, 12, 13]);
});

test('does not seal a day until 15 minutes after its end', async () => {
  await store.market.writeTape([block([tick(1, NOON)])]);
  expect(await seal(MONDAY + DAY_MS + 15 * MINUTE_MS, eurusd)).toBe(0);
  expect(await seal(MONDAY + DAY_MS + 15 * MINUTE_MS + 1, eurusd)).toBe(1);
});

test('seals a day without prices as empty; reports a day with missing tape once and never seals it', async () => {
  await store.market.write({
    bars: [bar({ symbol: XAUUSD, time: asEpochMs(NOON) })],
    prices: [],
    barsUntil: NOON + MINUTE_MS,
  });
  const days = [...eurusd, { day: DAY_NAME, symbol: XAUUSD }];
  expect(await seal(EVENING, days)).toBe(1);
  expect(await seal(EVENING, days.slice(1))).toBe(0);
  expect(sealed.map(({ symbol, ticks }) => [symbol, ticks])).toEqual([[EURUSD, 0]]);
  expect(contentOf('EURUSD')).toBe('');
  expect(said).toHaveLength(1);
  expect(said[0]).toContain('XAUUSD');
});

test('throws a StoreError if the file cannot be written, leaves nothing behind and seals nothing', async () => {
  await store.market.writeTape([block([tick(1, NOON)])]);
  const place = join(folder, 'live', 'evidence', DAY_NAME);
  mkdirSync(join(place, 'EURUSD.jsonl.gz'), { recursive: true });
  const refused = await seal(EVENING, eurusd).catch((error) => error as Error);
  expect(refused).toBeInstanceOf(StoreError);
  expect([sealed, readdirSync(place)]).toEqual([[], ['EURUSD.jsonl.gz']]);
});

test('writes many ticks completely', async () => {
  const blocks: TapeBlock[] = [];
  for (let minute = 0; minute < 300; minute++) {
    const first = minute * 1_000;
    blocks.push(block(Array.from({ length: 1_000 }, (_, at) => tick(first + at, NOON + minute * MINUTE_MS + at))));
  }
  await store.market.writeTape(blocks);
  await seal(EVENING, eurusd);
  const lines = contentOf('EURUSD').trimEnd().split('\n');
  expect([sealed[0]!.ticks, lines.length]).toEqual([300_000, 300_000]);
  expect(lines.every((line, seq) => line.startsWith(`{"seq":${seq},`))).toBe(true);
});

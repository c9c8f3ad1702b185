import { afterAll, beforeEach, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { asEpochMs, type MarketSymbol } from '@tickwire/engine';
import { createLog } from '../ops/log.ts';
import { bar, EURUSD, MINUTE, MONDAY, quote, trade, XAUUSD } from '../store/samples.fixture.ts';
import { openSqliteStore } from '../store/sqlite/open.ts';
import { type Store, StoreError, type TapeBlock, type TapeRecord } from '../store/store.ts';
import { encodeAside } from '../store/tape-aside.ts';
import { encodeBlock } from '../store/tape-block.ts';
import { encodeMinute } from '../store/tape-minute.ts';
import { temporaryFolder } from '../testing/service.fixture.ts';
import { type SealedDay, sealDays } from './seal.ts';

const DAY = 86_400_000;
const NOON = MONDAY + DAY / 2;
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

let folder: string;
let store: Store;
let said: string[];
let gone: Set<string>;
let sealed: SealedDay[];
beforeEach(() => {
  folder = temporaryFolder();
  folders.push(folder);
  store = openSqliteStore({ folder, realm: 'live', exclusive: false });
  said = [];
  gone = new Set();
  sealed = [];
});

const block = (records: TapeRecord[], encode = encodeBlock): TapeBlock => {
  const minute = records[0]!.event.time - (records[0]!.event.time % MINUTE);
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
  sealDays({
    store: { market: store.market, signals: { ...store.signals, unsealed: async () => days } },
    folder: join(folder, 'live'),
    now,
    log: createLog({ level: 'info', plain: true, write: (line) => said.push(line) }),
    gone,
    seal: async (each) => void sealed.push(each),
  });
const DAY_NAME = '2026-03-02';
const EVENING = MONDAY + DAY + 16 * MINUTE;
const eurusd = [{ day: DAY_NAME, symbol: EURUSD }];
const contentOf = (symbol: string): string =>
  gunzipSync(readFileSync(join(folder, 'live', 'evidence', DAY_NAME, `${symbol}.jsonl.gz`))).toString();

test('a day is written line by line as the page says, with the hash of its content', async () => {
  await store.market.writeTape([
    block([tick(5, NOON), { seq: 7, event: { ...trade, time: asEpochMs(NOON + 1) }, source: 'oanda' }]),
    encodeMinute(9, { kind: 'minute', symbol: EURUSD, bar: bar({ time: asEpochMs(NOON + MINUTE) }) }, 'oanda'),
  ]);
  expect(await seal(EVENING, eurusd)).toBe(1);
  const content = contentOf('EURUSD');
  expect(content).toBe(
    `{"seq":5,"time":${NOON},"bid":1.1,"ask":1.2,"source":"oanda"}\n` +
      `{"seq":7,"time":${NOON + 1},"price":1.15,"side":"sell","source":"oanda"}\n` +
      `{"seq":9,"time":${NOON + MINUTE},"open":1.1,"high":1.3,"low":1.05,"close":1.2}\n`,
  );
  const sha256 = createHash('sha256').update(content).digest('hex');
  expect(sealed).toEqual([{ day: DAY_NAME, symbol: EURUSD, ticks: 3, sha256 }]);
  expect(readdirSync(join(folder, 'live', 'evidence', DAY_NAME))).toEqual(['EURUSD.jsonl.gz']);
});

test('late ticks stand where their numbers are; imported and crossed ones are no evidence', async () => {
  await store.market.writeTape([
    // An import has drawn the first minute's blocks together, the late ticks with them.
    block([tick(1, NOON), tick(2, NOON + 1), tick(8, NOON + 2), tick(12, NOON + 3), tick(900, NOON + 4, 'import')]),
    block([tick(3, NOON + MINUTE), tick(7, NOON + MINUTE + 1)]),
    block([tick(9, NOON + 2 * MINUTE)]),
    // Late, as the recorder leaves it: a second block of an older minute.
    block([tick(10, NOON + MINUTE + 2), tick(11, NOON + MINUTE + 3)]),
    block([tick(13, NOON + 3 * MINUTE)]),
    block([tick(14, NOON + 4 * MINUTE, 'import')]),
    block([tick(15, NOON + 5 * MINUTE)], encodeAside),
  ]);
  await seal(EVENING, eurusd);
  const seqs = contentOf('EURUSD')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { seq: number }).seq);
  expect(seqs).toEqual([1, 2, 3, 7, 8, 9, 10, 11, 12, 13]);
});

test('a day is left alone until a quarter of an hour after its end', async () => {
  await store.market.writeTape([block([tick(1, NOON)])]);
  expect(await seal(MONDAY + DAY + 15 * MINUTE, eurusd)).toBe(0);
  expect(await seal(MONDAY + DAY + 15 * MINUTE + 1, eurusd)).toBe(1);
});

test('a day without prices is sealed as empty; one whose tape is gone is told once and never sealed', async () => {
  await store.market.write({
    bars: [bar({ symbol: XAUUSD, time: asEpochMs(NOON) })],
    prices: [],
    barsUntil: NOON + MINUTE,
  });
  const days = [...eurusd, { day: DAY_NAME, symbol: XAUUSD }];
  expect(await seal(EVENING, days)).toBe(1);
  expect(await seal(EVENING, days.slice(1))).toBe(0);
  expect(sealed.map(({ symbol, ticks }) => [symbol, ticks])).toEqual([[EURUSD, 0]]);
  expect(contentOf('EURUSD')).toBe('');
  expect(said).toHaveLength(1);
  expect(said[0]).toContain('XAUUSD');
});

test('a file that cannot be written is a fault of the store, leaves nothing behind and seals nothing', async () => {
  await store.market.writeTape([block([tick(1, NOON)])]);
  const place = join(folder, 'live', 'evidence', DAY_NAME);
  mkdirSync(join(place, 'EURUSD.jsonl.gz'), { recursive: true });
  const refused = await seal(EVENING, eurusd).catch((error) => error as Error);
  expect(refused).toBeInstanceOf(StoreError);
  expect([sealed, readdirSync(place)]).toEqual([[], ['EURUSD.jsonl.gz']]);
});

test('many ticks come out in one piece', async () => {
  const blocks: TapeBlock[] = [];
  for (let minute = 0; minute < 300; minute++) {
    const first = minute * 1_000;
    blocks.push(block(Array.from({ length: 1_000 }, (_, at) => tick(first + at, NOON + minute * MINUTE + at))));
  }
  await store.market.writeTape(blocks);
  await seal(EVENING, eurusd);
  const lines = contentOf('EURUSD').trimEnd().split('\n');
  expect([sealed[0]!.ticks, lines.length]).toEqual([300_000, 300_000]);
  expect(lines.every((line, seq) => line.startsWith(`{"seq":${seq},`))).toBe(true);
});

// What the tape costs on PostgreSQL: at 90 ticks a second over 34 instruments, with five flushes a second, everything that the
// recorder stores writes at most 80 bytes of write-ahead log per tick. Each flush is on the tape when it resolves.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  asEpochMs,
  CATALOGUE,
  type ClockEvent,
  Engine,
  type EngineEvent,
  type FeedEvent,
  MINUTE_MS,
} from '@tickwire/engine';
import { Recorder } from '../../src/market/recorder.ts';
import { silentLog } from '../../src/ops/log.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import type { Store } from '../../src/store/store.ts';
import { ticksOf } from '../../src/store/tape-records.ts';
import { postgresForTests } from '../external-services.fixture.ts';
import { atScale } from '../scale.fixture.ts';
import { type TestDatabase, testDatabase } from '../store/postgres-database.fixture.ts';

const MAX_BYTES = 80;
const MINUTES = atScale(2, 20);
const FLUSH_MS = 200;
const TICKS_PER_FLUSH = 18;
const NOON = Date.UTC(2026, 2, 4, 12);

const server = await postgresForTests();

/** The bytes of the log between two positions that are of this database: other tests use the server too. */
const WRITTEN = `WITH records AS (SELECT xid, record_length, block_ref FROM pg_get_wal_records_info($1, $2)),
  own AS (SELECT xid FROM records, pg_database WHERE datname = current_database() AND block_ref LIKE '%/' || oid || '/%')
  SELECT sum(record_length)::float8 AS bytes FROM records, pg_database
  WHERE datname = current_database() AND (block_ref LIKE '%/' || oid || '/%' OR xid IN (SELECT xid FROM own WHERE xid <> '0'))`;

/** The same numbers in each run. */
let state = 1;
const random = (): number => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};

function ticksFrom(time: number): (FeedEvent | ClockEvent)[] {
  const events: (FeedEvent | ClockEvent)[] = [{ kind: 'clock', time: asEpochMs(time - (time % 1_000)) }];
  for (let at = 0; at < TICKS_PER_FLUSH; at++) {
    const { symbol, digits } = CATALOGUE[Math.floor(random() * CATALOGUE.length)]!;
    const priceOf = (ticks: number): number => Number((100 + ticks / 10 ** digits).toFixed(digits));
    const bid = Math.floor(random() * 50);
    const common = { symbol, time: asEpochMs(time + at * 11) };
    if (random() < 0.8)
      events.push({ kind: 'quote', ...common, bid: priceOf(bid), ask: priceOf(bid + 2), bidSize: 0.5, askSize: 1.2 });
    else
      events.push({
        kind: 'trade',
        ...common,
        price: priceOf(bid),
        size: Math.ceil(random() * 100) / 100,
        side: 'buy',
        sideMethod: null,
      });
  }
  return events;
}

describe.skipIf(server === null)('with a server', () => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await testDatabase(server!);
    store = await openPostgresStore({ url: database.url, realm: 'sim', role: 'service', folder: '/nonexistent' });
  });
  afterAll(async () => {
    await store.close();
    await database.dispose();
  });

  test(`writes at most ${MAX_BYTES} bytes of write-ahead log per tick`, async () => {
    const engine = new Engine(CATALOGUE);
    const recorder = new Recorder({ store: store.market, instruments: CATALOGUE, log: silentLog, barsUntil: 0 });
    let seq = 1;
    let ticks = 0;
    const flush = async (time: number): Promise<void> => {
      const out: EngineEvent[] = [];
      for (const event of ticksFrom(time)) engine.apply(event, out);
      recorder.read({ firstSeq: seq, source: 'sim', events: out });
      seq += out.length;
      ticks += TICKS_PER_FLUSH;
      await recorder.flush();
    };
    const position = async (): Promise<string> =>
      (await database.ask<{ lsn: string }>('SELECT pg_current_wal_lsn() AS lsn'))[0]!.lsn;
    // Creates the partition.
    await flush(NOON - MINUTE_MS);
    await database.ask('CREATE EXTENSION pg_walinspect');
    await database.ask('CHECKPOINT');
    const before = await position();
    const first = ticks;
    for (let time = NOON; time < NOON + MINUTES * MINUTE_MS; time += FLUSH_MS) {
      await flush(time);
      if (time % 10_000 === 0) expect((await store.market.tape(0)).flatMap(ticksOf).length).toBe(ticks);
    }
    const [written] = await database.ask<{ bytes: number }>(WRITTEN, [before, await position()]);
    const perTick = Number(written!.bytes) / (ticks - first);
    console.log(`write-ahead log: ${perTick.toFixed(1)} bytes per tick, ${ticks - first} ticks`);
    expect(recorder.failure).toBeNull();
    expect(perTick).toBeLessThan(MAX_BYTES);
  });
});

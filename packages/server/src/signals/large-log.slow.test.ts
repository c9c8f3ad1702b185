// A service with many signals: how long it takes to restore track records at start, and to answer with the ranking after a change.
import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { ENDPOINTS, type PublishersQuery } from '@tickwire/contract';
import { asEpochMs, type MarketSymbol, type TickEvent, trustedSources } from '@tickwire/engine';
import { computed, longestTurn } from '../../testing/event-loop.fixture.ts';
import { atScale } from '../../testing/scale.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { writeLargeLog } from '../../testing/signals/large-log.fixture.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { TrackRecords } from './track-records.ts';

const SIGNALS = atScale(20_000, 500_000);
const PUBLISHERS = atScale(100, 1_000);
const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD', 'US500'];

test('restores track records and ranks publishers without holding up the service', async () => {
  const folder = temporaryFolder();
  // Each publisher has an open signal.
  await writeLargeLog({ folder, publishers: PUBLISHERS, signals: SIGNALS, active: PUBLISHERS, symbols: SYMBOLS });
  const store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  const records = new TrackRecords({
    store: store.signals,
    nameOf: (publisher) => publisher,
    isTrusted: trustedSources(['push']),
  });
  const started = computed();
  let longest = await longestTurn(() => records.restore());
  const perSignal = ((computed() - started) * 1_000) / SIGNALS;

  const now = Date.now();
  const tick = (symbol: MarketSymbol) => ({ symbol, time: asEpochMs(now), bid: 1.0835, ask: 1.0836 }) as TickEvent;
  const market = { tick, quoteSource: () => 'push:pub_feed', recent: () => [], time: asEpochMs(now) };
  const costs: string[] = [];
  const parameters: Record<string, string>[] = [{}, {}, { period: '365', sort: 'win_rate' }];
  for (const [at, given] of parameters.entries()) {
    const query = ENDPOINTS.publishers.query.parse(given) as PublishersQuery;
    const before = computed();
    const turn = await longestTurn(async () => {
      const { total } = await records.list(query, { market, now: now + at * 2_000 });
      expect(total).toBe(PUBLISHERS);
    });
    longest = Math.max(longest, turn);
    costs.push(
      `${JSON.stringify(given)} ${Math.round(computed() - before)} ms, at most ${Math.round(turn)} ms at a time`,
    );
  }
  console.log(
    `${SIGNALS} signals of ${PUBLISHERS} publishers: restored with ${perSignal.toFixed(1)} µs of computing each; lists: ${costs.join('; ')}`,
  );
  expect(perSignal).toBeLessThan(200);
  expect(longest).toBeLessThan(150);
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

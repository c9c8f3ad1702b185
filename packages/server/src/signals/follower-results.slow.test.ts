// Results of followers that are unknown, because no quote followed: the search does not hold up the service.
import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { asEpochMs, DAY_MS, HOUR_MS, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import { computed, longestTurn } from '../../testing/event-loop.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { publisherOf, writeLargeLog } from '../../testing/signals/large-log.fixture.ts';
import type { TapeBlock } from '../store/market-store.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { BlockWriter } from '../store/tape-block.ts';
import { Followers } from './follower-results.ts';

const SIGNALS = 200;
const EVERY = 5 * MINUTE_MS;
const UNTIL = Date.UTC(2026, 2, 4, 12);
/** Other instruments, which have quotes in every minute. */
const OTHERS = Array.from({ length: 33 }, (_, index) => `OTHER${String(index).padStart(2, '0')}` as MarketSymbol);

test('200 unknown results are found in short slices, and only once', async () => {
  const folder = temporaryFolder();
  await writeLargeLog({ folder, publishers: 1, signals: SIGNALS, every: EVERY, until: UNTIL });
  const store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  for (let hour = UNTIL - SIGNALS * EVERY; hour < UNTIL + 2 * HOUR_MS; hour += HOUR_MS)
    await store.market.writeTape(OTHERS.flatMap((symbol) => blocksOf(symbol, hour)));
  const followers = new Followers({ store: store.signals, tape: store.market, quotedAt: () => UNTIL + DAY_MS });
  const figures: string[] = [];
  const costs: number[] = [];
  for (const call of ['first', 'second']) {
    const before = computed();
    const longest = await longestTurn(async () => {
      expect(await followers.of(publisherOf(0), SIGNALS)).toMatchObject({ count: SIGNALS, unknown: SIGNALS });
    });
    costs.push(longest);
    figures.push(
      `${call} ${Math.round(computed() - before)} ms of computing, at most ${Math.round(longest)} ms at a time`,
    );
  }
  console.log(`unknown results of followers, ${SIGNALS} signals: ${figures.join('; ')}`);
  expect(Math.max(...costs)).toBeLessThan(50);
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A block in each minute of an hour. */
function blocksOf(symbol: MarketSymbol, hour: number): TapeBlock[] {
  return Array.from({ length: 60 }, (_, index) => {
    const minute = asEpochMs(hour + index * MINUTE_MS);
    const writer = new BlockWriter(minute, 5);
    writer.append(1, { kind: 'quote', symbol, time: minute, bid: 1, ask: 1.1, bidSize: 0, askSize: 0 }, 'sim');
    return { symbol, minute, firstSeq: 1, count: 1, bidVolume: 0, askVolume: 0, bytes: writer.bytes() };
  });
}

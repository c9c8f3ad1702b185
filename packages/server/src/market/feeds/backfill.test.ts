import { expect, test } from 'bun:test';
import {
  asEpochMs,
  asSymbol,
  type FeedEvent,
  HOUR_MS,
  MINUTE_MS,
  type QuoteEvent,
  SECOND_MS,
  type TradeEvent,
} from '@tickwire/engine';
import { silentLog } from '../../ops/log.ts';
import { Backfill } from './backfill.ts';
import type { FeedContext } from './feed-context.ts';
import { GapRepair } from './gap-repair.ts';

const [BTC, HYPE] = [asSymbol('BTC'), asSymbol('HYPE')];
const NOON = Date.UTC(2026, 2, 4, 12);

test('minutes are fetched from the last event of each symbol on, also if it stalled long before the others', async () => {
  let time = NOON;
  const events: FeedEvent[] = [];
  const asked: (readonly [string, number])[] = [];
  const context = {
    connector: {
      ...{ name: 'venue', symbols: [BTC, HYPE] },
      async fetchMinutes(symbol: string, from: number) {
        asked.push([symbol, from]);
        return [];
      },
    },
    accept: (list: readonly FeedEvent[]) => events.push(...list),
    ...{ counters: { gaps: 0, backfilled: 0, duplicates: 0 }, complain: () => {}, log: silentLog, now: () => time },
  } as unknown as FeedContext;
  const repair = new GapRepair(context);
  const backfill = new Backfill(context, repair);
  const quote = (symbol: typeof BTC): QuoteEvent => ({
    ...({ kind: 'quote', symbol, time: asEpochMs(time), bid: 1, ask: 2, bidSize: 1, askSize: 1 } as const),
  });
  await backfill.run();
  backfill.accept([quote(BTC), quote(HYPE)]);
  time += HOUR_MS;
  backfill.accept([quote(BTC)]);
  time += MINUTE_MS;
  backfill.connectionClosed();
  await backfill.run();
  expect(asked).toEqual([
    [BTC, NOON + HOUR_MS],
    [HYPE, NOON],
  ]);
  // The next interruption continues where this one was filled.
  time += 5 * MINUTE_MS;
  backfill.connectionClosed();
  await backfill.run();
  expect(asked.slice(2)).toEqual([
    [BTC, NOON + HOUR_MS + MINUTE_MS],
    [HYPE, NOON + HOUR_MS + MINUTE_MS],
  ]);
  expect(events.filter(({ kind }) => kind === 'gap')).toEqual([]);
});

test('a trade that is lost while a list of trades arrives lies in the next gap', async () => {
  let time = NOON;
  const events: FeedEvent[] = [];
  const lists: (TradeEvent[] | null)[] = [[], null];
  const context = {
    connector: {
      ...{ name: 'venue', symbols: [BTC] },
      async fetchTrades() {
        time += SECOND_MS;
        return lists.shift();
      },
    },
    accept: (list: readonly FeedEvent[]) => events.push(...list),
    ...{ counters: { gaps: 0, backfilled: 0, duplicates: 0 }, complain: () => {}, log: silentLog, now: () => time },
  } as unknown as FeedContext;
  const backfill = new Backfill(context, new GapRepair(context));
  await backfill.run();
  backfill.accept([
    { kind: 'trade', symbol: BTC, time: asEpochMs(time), price: 1, size: 1, side: 'buy', sideMethod: null, id: 7 },
  ]);
  time += MINUTE_MS;
  backfill.connectionClosed();
  const asked = time;
  await backfill.run();
  backfill.connectionClosed();
  await backfill.run();
  expect(events.filter(({ kind }) => kind === 'gap')).toMatchObject([{ from: asked, to: time }]);
});

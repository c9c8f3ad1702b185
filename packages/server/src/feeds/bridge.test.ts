// What stands between a cut and the first live event: the order that decides signals. Real sources against fake venues.
import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, CATALOGUE, type FeedEvent } from '@tickwire/engine';
import { silentLog } from '../ops/log.ts';
import { Ownership } from './ownership.ts';
import type { EarlierRun } from './repair.ts';
import type { Source } from './source.ts';
import { Supervisor } from './supervisor.ts';
import { FakeVenue } from './venues/fake-venue.fixture.ts';
import { VENUE_INSTRUMENTS } from './venues/instruments.ts';
import { until } from './venues/reference-loop.fixture.ts';
import { sourceAt, VENUES_UNDER_TEST } from './venues/venues-under-test.fixture.ts';

const INSTRUMENTS = [...CATALOGUE, ...VENUE_INSTRUMENTS];
const DAY_MS = 86_400_000;

interface Variant {
  /** The source as it is to be supervised. */
  readonly change?: (source: Source) => Source;
  readonly holdMs?: number;
  readonly earlier?: EarlierRun;
  readonly accept?: (events: readonly FeedEvent[], record: (events: readonly FeedEvent[]) => void) => void;
}

/** `quote`, `trade 1007`, `gap`: runs of trades as `trades 1003-1042`. */
function told(events: readonly FeedEvent[]): string[] {
  const out: string[] = [];
  let [first, last] = [0, 0];
  for (const event of events) {
    if (event.kind !== 'trade') out.push(event.kind);
    else if (last > 0 && event.id === last + 1 && out.at(-1)?.startsWith('trades')) {
      last = event.id;
      out[out.length - 1] = `trades ${first}-${last}`;
    } else {
      first = last = event.id!;
      out.push(`trades ${first}-${last}`);
    }
  }
  return out;
}

describe.concurrent.each(VENUES_UNDER_TEST)('$name after a cut', (venue) => {
  const { btc } = venue;
  const symbol = asSymbol(venue.instrument);

  function stage({ change = (source) => source, accept, ...options }: Variant = {}) {
    const fake = new FakeVenue(venue.protocol(), { heartbeatMs: 50 });
    const events: FeedEvent[] = [];
    const record = (list: readonly FeedEvent[]): void => {
      events.push(...list);
    };
    const supervisor = new Supervisor({
      ...options,
      source: change({ ...sourceAt(venue, fake, { restTimeoutMs: 5_000 }), staleMs: 30_000 }),
      instruments: INSTRUMENTS,
      accept: (list) => (accept ? accept(list, record) : record(list)),
      now: Date.now,
      log: silentLog,
      random: () => 0,
    });
    let open = (): void => {};
    return {
      fake,
      events,
      supervisor,
      connected: (times: number) =>
        until(() => supervisor.counters.connects === times && fake.clients === 1, `connection ${times}`),
      /** What came from the first disconnect on. */
      afterCut: () => told(events.slice(events.findIndex(({ kind }) => kind === 'disconnect'))),
      closeRest() {
        const { promise, resolve } = Promise.withResolvers<void>();
        fake.restGate = promise;
        open = resolve;
      },
      openRest: () => open(),
      async [Symbol.asyncDispose]() {
        open();
        supervisor.stop();
        await fake[Symbol.asyncDispose]();
      },
    };
  }

  /** Three trades (1000 to 1002) and a quote have come in, the line is cut, and 40 trades happen unseen (1003 to 1042). */
  async function cutScene(variant: Variant = {}) {
    const s = stage(variant);
    s.supervisor.start();
    await s.connected(1);
    s.fake.trade(btc, 3);
    s.fake.quote(btc);
    await until(() => s.events.length === 4, 'the first events');
    return {
      ...s,
      async cut() {
        s.fake.trade(btc, 40, 'lost');
        const before = s.supervisor.counters.connects;
        s.fake.cut('without close frame');
        await s.connected(before + 1);
      },
    };
  }

  test('the missed trades come in before the first live quote, however long the answer takes', async () => {
    await using s = await cutScene();
    s.closeRest();
    await s.cut();
    for (let n = 0; n < 5; n++) s.fake.quote(btc);
    s.fake.trade(btc, 2);
    s.fake.quote(btc);
    await Bun.sleep(150);
    expect(s.afterCut()).toEqual(['disconnect']);
    s.openRest();
    await until(() => s.afterCut().length === 10, 'everything');
    expect(s.afterCut()).toEqual([
      ...['disconnect', 'trades 1003-1042', 'backfilled'],
      ...['quote', 'quote', 'quote', 'quote', 'quote', 'trades 1043-1044', 'quote'],
    ]);
    expect(s.supervisor.counters).toMatchObject({ gaps: 0, backfilled: 40 });
  });

  test('what could not be fetched is declared before the first live quote, and comes in later all the same', async () => {
    await using s = await cutScene();
    const known = s.events.at(-1)!.time;
    s.fake.restFaults.push('500', '500', '500', '500', '500');
    const began = Date.now();
    await s.cut();
    s.fake.quote(btc);
    s.fake.trade(btc, 1);
    await until(() => s.supervisor.counters.backfilled === 40, 'the repair');
    expect(s.afterCut()).toEqual(['disconnect', 'gap', 'quote', 'trades 1043-1043', 'trades 1003-1042', 'backfilled']);
    const gap = s.events.find((event) => event.kind === 'gap')!;
    expect(gap).toMatchObject({ symbols: [symbol], from: known, to: gap.time });
    expect(gap.time).toBeGreaterThanOrEqual(began);
    expect(s.supervisor.counters.gaps).toBe(1);
  });

  test('a loss that was declared is not declared again when the repair is given up', async () => {
    await using s = await cutScene({ change: (source) => ({ ...source, missed: async () => null }) });
    await s.cut();
    s.fake.quote(btc);
    s.fake.trade(btc, 1);
    await Bun.sleep(2_000);
    expect(s.afterCut()).toEqual(['disconnect', 'gap', 'quote', 'trades 1043-1043']);
  });

  test('an answer that takes too long is not waited for: the gap goes first, its trades come in late', async () => {
    await using s = await cutScene({ holdMs: 200 });
    s.closeRest();
    await s.cut();
    s.fake.quote(btc);
    s.fake.trade(btc, 1);
    await until(() => s.afterCut().length === 4, 'the end of the wait');
    s.openRest();
    await until(() => s.supervisor.counters.backfilled === 40, 'the late trades');
    expect(s.afterCut()).toEqual(['disconnect', 'gap', 'quote', 'trades 1043-1043', 'trades 1003-1042', 'backfilled']);
    expect(s.supervisor.counters.gaps).toBe(1);
  });

  test('no more than 20,000 events wait', async () => {
    await using s = await cutScene();
    s.closeRest();
    await s.cut();
    for (let n = 0; n < 20_000; n++) s.fake.quote(btc);
    await Bun.sleep(300);
    expect(s.afterCut()).toEqual(['disconnect']);
    s.fake.quote(btc);
    await until(() => s.afterCut().length === 20_003, 'the release');
    expect(s.afterCut().slice(0, 3)).toEqual(['disconnect', 'gap', 'quote']);
  });

  test('a second cut during the wait costs nothing: all is bridged at once afterwards', async () => {
    await using s = await cutScene();
    s.closeRest();
    await s.cut();
    s.fake.quote(btc);
    s.fake.trade(btc, 1);
    await Bun.sleep(100);
    await s.cut();
    s.fake.quote(btc);
    await Bun.sleep(100);
    s.openRest();
    await until(() => s.afterCut().length === 5, 'everything');
    await Bun.sleep(100);
    expect(s.afterCut()).toEqual(['disconnect', 'disconnect', 'trades 1003-1083', 'backfilled', 'quote']);
    expect(s.supervisor.counters).toMatchObject({ gaps: 0, backfilled: 81 });
  });

  test('an answer that lags behind the stream is asked for again until it reaches the live trades', async () => {
    let answers = 0;
    const change = (source: Source): Source => ({
      ...source,
      async missed(...ask) {
        const trades = await source.missed!(...ask);
        return ++answers === 1 ? trades!.slice(0, 30) : trades;
      },
    });
    await using s = await cutScene({ change });
    s.closeRest();
    await s.cut();
    s.fake.quote(btc);
    s.fake.trade(btc, 1);
    await Bun.sleep(100);
    s.openRest();
    await until(() => s.afterCut().length === 5, 'everything');
    expect(s.afterCut()).toEqual(['disconnect', 'trades 1003-1042', 'backfilled', 'quote', 'trades 1043-1043']);
    expect(answers).toBe(2);
  });

  test('where nothing was missed nothing is declared', async () => {
    await using s = await cutScene();
    s.fake.cut('with close frame');
    await s.connected(2);
    s.fake.quote(btc);
    await until(() => s.afterCut().length === 2, 'the quote');
    expect(s.afterCut()).toEqual(['disconnect', 'quote']);
  });

  test('a venue that can give nothing again has a gap at once', async () => {
    await using s = await cutScene({ change: ({ missed: _, ...source }) => source });
    await s.cut();
    s.fake.quote(btc);
    await until(() => s.afterCut().length === 3, 'the quote');
    expect(s.afterCut()).toEqual(['disconnect', 'gap', 'quote']);
  });

  test('a source that does not own the symbol changes nothing by its cuts, gaps and repairs', async () => {
    const passed: FeedEvent[] = [];
    const ownership = new Ownership({ accept: (list) => passed.push(...list), now: Date.now, log: silentLog });
    ownership.add('another', [symbol]);
    ownership.add(venue.name, [symbol]);
    await using s = await cutScene({
      accept: (list, record) => {
        record(list);
        ownership.accept(venue.name, list);
      },
    });
    await s.cut();
    s.fake.quote(btc);
    await until(() => s.afterCut().length === 4, 'the quote');
    s.fake.restFaults.push('500', '500', '500', '500', '500');
    await s.cut();
    await until(() => s.supervisor.counters.gaps === 1, 'the gap');
    expect(passed).toEqual([]);
  });

  describe('over a restart', () => {
    const trades = (time: number, id = 1_002): EarlierRun => ({
      until: asEpochMs(time),
      trades: new Map([[symbol, { id, time: asEpochMs(time) }]]),
    });

    async function play(missed: number, earlier: (lastTradeAt: number) => EarlierRun, patient = false) {
      const fake = new FakeVenue(venue.protocol(), { heartbeatMs: 50 });
      const last = fake.trade(btc, 3, 'lost').at(-1)!;
      await Bun.sleep(5);
      fake.trade(btc, missed, 'lost');
      const events: FeedEvent[] = [];
      const supervisor = new Supervisor({
        source: { ...sourceAt(venue, fake), staleMs: 30_000 },
        instruments: INSTRUMENTS,
        accept: (list) => events.push(...list),
        now: Date.now,
        log: silentLog,
        earlier: earlier(Math.floor(last.timeUs / 1_000)),
      });
      supervisor.start();
      await until(() => supervisor.counters.connects === 1, 'the connection');
      fake.quote(btc);
      await until(() => events.at(-1)?.kind === 'quote', 'the quote');
      fake.trade(btc, 1);
      await until(() => events.at(-1)?.kind === 'trade', 'the trade');
      const asked = fake.asked.length;
      // Long enough for a hole to be asked for.
      if (patient) await Bun.sleep(2_000);
      const all = events.filter((event) =>
        'symbol' in event ? event.symbol === symbol : event.symbols.includes(symbol),
      );
      const more = fake.asked.length - asked;
      supervisor.stop();
      await fake[Symbol.asyncDispose]();
      return { events: all, more };
    }

    test('trades that were missed while away come in before the first quote', async () => {
      const { events } = await play(1_500, trades);
      expect(told(events)).toEqual(['trades 1003-2502', 'backfilled', 'quote', 'trades 2503-2503']);
    });

    test('an absence of more than 20,000 trades is a gap before the first quote, and is not asked for again', async () => {
      const { events, more } = await play(25_000, trades, true);
      expect(told(events)).toEqual(['gap', 'quote', 'trades 26003-26003']);
      expect(more).toBe(0);
    });

    test('an absence of more than a week is a gap, whatever the venue may hold', async () => {
      const { events } = await play(10, (time) => trades(time - 8 * DAY_MS));
      expect(told(events)).toEqual(['gap', 'quote', 'trades 1013-1013']);
    });

    test('without a trade to begin from the absence is a gap from the end of the earlier run', async () => {
      const { events } = await play(10, (time) => ({ until: asEpochMs(time - 500), trades: new Map() }));
      expect(told(events)).toEqual(['gap', 'quote', 'trades 1013-1013']);
      const gap = events[0]!;
      expect(gap.kind === 'gap' && Date.now() - gap.from).toBeGreaterThanOrEqual(500);
    });
  });
});

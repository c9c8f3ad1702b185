// The order of events between a lost connection and the first live event, which decides signals. Real connectors against
// fake venues.
import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, CATALOGUE, DAY_MS, type FeedEvent } from '@tickwire/engine';
import { FakeVenue } from '../../../testing/feeds/fake-venue.fixture.ts';
import { until } from '../../../testing/feeds/reference-loop.fixture.ts';
import { connectorFor, VENUES_UNDER_TEST } from '../../../testing/feeds/venues-under-test.fixture.ts';
import { silentLog } from '../../ops/log.ts';
import type { VenueConnector } from './connector.ts';
import { Failover } from './failover.ts';
import type { ResumePoint } from './resume-point.ts';
import { FeedSupervisor } from './supervisor.ts';
import { VENUE_INSTRUMENTS } from './venues/venue-instruments.ts';

const INSTRUMENTS = [...CATALOGUE, ...VENUE_INSTRUMENTS];

interface Variant {
  /** Changes the connector before it is supervised. */
  readonly change?: (connector: VenueConnector) => VenueConnector;
  readonly holdMs?: number;
  readonly resume?: ResumePoint;
  readonly accept?: (events: readonly FeedEvent[], record: (events: readonly FeedEvent[]) => void) => void;
}

/** Without quotes that repeat the one before them. */
function withoutRepeated(events: readonly FeedEvent[]): FeedEvent[] {
  let last = { bid: 0, ask: 0 };
  return events.filter((event) => {
    if (event.kind !== 'quote') return true;
    const isNew = event.bid !== last.bid || event.ask !== last.ask;
    last = event;
    return isNew;
  });
}

/** `quote`, `gap` and so on; runs of trades as `trades 1003-1027`. */
function summarize(events: readonly FeedEvent[]): string[] {
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

describe.concurrent.each(VENUES_UNDER_TEST)('backfill of $name', (venue) => {
  const { btc } = venue;
  const symbol = asSymbol(venue.instrument);
  /** The order of quotes and trades that come over two sockets is that of their arrival. */
  const otherSocket = async (): Promise<void> => {
    if (venue.hasTwoSockets) await Bun.sleep(50);
  };

  function setUp({ change = (connector) => connector, accept, ...options }: Variant = {}) {
    const fake = new FakeVenue(venue.protocol(), { heartbeatMs: 50 });
    const events: FeedEvent[] = [];
    const record = (list: readonly FeedEvent[]): void => {
      events.push(...list);
    };
    const supervisor = new FeedSupervisor({
      ...options,
      connector: change({ ...connectorFor(venue, fake, { restTimeoutMs: 5_000 }), staleMs: 30_000 }),
      instruments: INSTRUMENTS,
      accept: (list) => (accept ? accept(list, record) : record(list)),
      now: Date.now,
      log: silentLog,
      random: () => 1,
    });
    let open = (): void => {};
    return {
      fake,
      events,
      supervisor,
      connected: (times: number) =>
        until(() => supervisor.counters.connects === times && fake.clients === 1, `connection ${times}`),
      /** Events from the first disconnect on. */
      afterCut() {
        const list = venue.repeatsQuote ? withoutRepeated(events) : events;
        return summarize(list.slice(list.findIndex(({ kind }) => kind === 'disconnect')));
      },
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

  /** After three trades (1000 to 1002) and a quote; `cut` drops the connection and makes 25 unseen trades (from 1003). */
  async function setUpCut(variant: Variant = {}) {
    const s = setUp(variant);
    s.supervisor.start();
    await s.connected(1);
    s.fake.trade(btc, 3);
    s.fake.quote(btc);
    await until(() => s.events.length === 4, 'the first events');
    return {
      ...s,
      async cut() {
        s.fake.trade(btc, 25, 'lost');
        const before = s.supervisor.counters.connects;
        s.fake.cut('without close frame');
        await s.connected(before + 1);
      },
    };
  }

  test('publishes missed trades before the first live quote, however long the response takes', async () => {
    await using s = await setUpCut();
    s.closeRest();
    await s.cut();
    for (let n = 0; n < 5; n++) s.fake.quote(btc);
    await otherSocket();
    s.fake.trade(btc, 2);
    await otherSocket();
    s.fake.quote(btc);
    await Bun.sleep(150);
    expect(s.afterCut()).toEqual(['disconnect']);
    s.openRest();
    await until(() => s.afterCut().length === 10, 'everything');
    expect(s.afterCut()).toEqual([
      ...['disconnect', 'trades 1003-1027', 'backfilled'],
      ...['quote', 'quote', 'quote', 'quote', 'quote', 'trades 1028-1029', 'quote'],
    ]);
    expect(s.supervisor.counters).toMatchObject({ gaps: 0, backfilled: 25 });
  });

  test('declares a gap before the first live quote if fetching fails, and repairs it later', async () => {
    await using s = await setUpCut();
    const known = Math.max(...s.events.map(({ time }) => time));
    s.fake.isRestDown = true;
    const began = Date.now();
    await s.cut();
    s.fake.quote(btc);
    await otherSocket();
    s.fake.trade(btc, 1);
    await until(() => s.afterCut().length === 4, 'the gap and the live events');
    s.fake.isRestDown = false;
    await until(() => s.supervisor.counters.backfilled === 25, 'the repair');
    expect(s.afterCut()).toEqual(['disconnect', 'gap', 'quote', 'trades 1028-1028', 'trades 1003-1027', 'backfilled']);
    const gap = s.events.find((event) => event.kind === 'gap')!;
    expect(gap).toMatchObject({ symbols: [symbol], from: known, to: gap.time });
    expect(gap.time).toBeGreaterThanOrEqual(began);
    expect(s.supervisor.counters.gaps).toBe(1);
  });

  test('does not declare a gap again when its repair is given up', async () => {
    await using s = await setUpCut({ change: (connector) => ({ ...connector, fetchTrades: async () => null }) });
    await s.cut();
    s.fake.quote(btc);
    await otherSocket();
    s.fake.trade(btc, 1);
    await Bun.sleep(2_000);
    expect(s.afterCut()).toEqual(['disconnect', 'gap', 'quote', 'trades 1028-1028']);
  });

  test('declares a gap if the response takes too long, and publishes its trades late', async () => {
    await using s = await setUpCut({ holdMs: 200 });
    s.closeRest();
    await s.cut();
    s.fake.quote(btc);
    await otherSocket();
    s.fake.trade(btc, 1);
    await until(() => s.afterCut().length === 4, 'the end of the wait');
    s.openRest();
    await until(() => s.supervisor.counters.backfilled === 25, 'the late trades');
    expect(s.afterCut()).toEqual(['disconnect', 'gap', 'quote', 'trades 1028-1028', 'trades 1003-1027', 'backfilled']);
    expect(s.supervisor.counters.gaps).toBe(1);
  });

  test('holds back at most 20,000 events', async () => {
    await using s = await setUpCut();
    s.closeRest();
    await s.cut();
    const held = venue.repeatsQuote ? 19_999 : 20_000;
    let [sent, last] = [0, ''];
    const send = (): void => {
      const { bid } = s.fake.quote(btc);
      // An equal quote does not change a book.
      if (!venue.repeatsQuote || bid !== last) sent++;
      last = bid;
    };
    while (sent < held) send();
    await Bun.sleep(300);
    expect(s.afterCut()).toEqual(['disconnect']);
    while (sent === held) send();
    await until(() => s.afterCut().length === held + 3, 'the release');
    expect(s.afterCut().slice(0, 3)).toEqual(['disconnect', 'gap', 'quote']);
  });

  test('backfills everything after a second disconnect during the wait', async () => {
    await using s = await setUpCut();
    s.closeRest();
    await s.cut();
    s.fake.quote(btc);
    await otherSocket();
    s.fake.trade(btc, 1);
    await Bun.sleep(100);
    await s.cut();
    s.fake.quote(btc);
    await Bun.sleep(100);
    s.openRest();
    // The quote of the second connection was lost with it; a snapshot repeats it.
    const quotes = venue.repeatsQuote ? ['quote', 'quote'] : ['quote'];
    await until(() => s.afterCut().length === 4 + quotes.length, 'everything');
    await Bun.sleep(100);
    expect(s.afterCut()).toEqual(['disconnect', 'disconnect', 'trades 1003-1053', 'backfilled', ...quotes]);
    expect(s.supervisor.counters).toMatchObject({ gaps: 0, backfilled: 51 });
  });

  test('repeats a request that lags behind the stream until it reaches the live trades', async () => {
    let responses = 0;
    const change = (connector: VenueConnector): VenueConnector => ({
      ...connector,
      async fetchTrades(...request) {
        const trades = await connector.fetchTrades!(...request);
        return ++responses === 1 ? trades!.slice(0, 15) : trades;
      },
    });
    await using s = await setUpCut({ change });
    s.closeRest();
    await s.cut();
    s.fake.quote(btc);
    await otherSocket();
    s.fake.trade(btc, 1);
    await Bun.sleep(100);
    s.openRest();
    await until(() => s.afterCut().length === 5, 'everything');
    expect(s.afterCut()).toEqual(['disconnect', 'trades 1003-1027', 'backfilled', 'quote', 'trades 1028-1028']);
    expect(responses).toBe(2);
  });

  test('declares nothing if nothing was missed', async () => {
    await using s = await setUpCut();
    s.fake.cut('with close frame');
    await s.connected(2);
    s.fake.quote(btc);
    await until(() => s.afterCut().length === 2, 'the quote');
    expect(s.afterCut()).toEqual(['disconnect', 'quote']);
  });

  test('declares a gap at once for a venue without past trades', async () => {
    await using s = await setUpCut({ change: ({ fetchTrades: _, ...connector }) => connector });
    await s.cut();
    s.fake.quote(btc);
    await until(() => s.afterCut().length === 3, 'the quote');
    expect(s.afterCut()).toEqual(['disconnect', 'gap', 'quote']);
  });

  test('publishes nothing from a source that does not own the symbol', async () => {
    const passed: FeedEvent[] = [];
    const failover = new Failover({ accept: (list) => passed.push(...list), now: Date.now, log: silentLog });
    failover.add('another', [symbol]);
    failover.add(venue.name, [symbol]);
    await using s = await setUpCut({
      accept: (list, record) => {
        record(list);
        failover.accept(venue.name, list);
      },
    });
    await s.cut();
    s.fake.quote(btc);
    await until(() => s.afterCut().length === 4, 'the quote');
    s.fake.isRestDown = true;
    await s.cut();
    await until(() => s.supervisor.counters.gaps === 1, 'the gap');
    expect(passed).toEqual([]);
  });

  describe('after a restart', () => {
    const resumeAt = (time: number, id = 1_002): ResumePoint => ({
      until: asEpochMs(time),
      trades: new Map([[symbol, { id, time: asEpochMs(time) }]]),
    });

    async function restart(missed: number, resume: (lastTradeAt: number) => ResumePoint, waitForRepair = false) {
      const fake = new FakeVenue(venue.protocol(), { heartbeatMs: 50 });
      const last = fake.trade(btc, 3, 'lost').at(-1)!;
      await Bun.sleep(5);
      fake.trade(btc, missed, 'lost');
      const events: FeedEvent[] = [];
      const supervisor = new FeedSupervisor({
        connector: { ...connectorFor(venue, fake), staleMs: 30_000 },
        instruments: INSTRUMENTS,
        accept: (list) => events.push(...list),
        now: Date.now,
        log: silentLog,
        resume: resume(Math.floor(last.timeUs / 1_000)),
      });
      supervisor.start();
      await until(() => supervisor.counters.connects === 1, 'the connection');
      fake.quote(btc);
      await until(() => events.at(-1)?.kind === 'quote', 'the quote');
      fake.trade(btc, 1);
      await until(() => events.at(-1)?.kind === 'trade', 'the trade');
      const before = fake.restRequests.length;
      // Long enough for a repair to be attempted.
      if (waitForRepair) await Bun.sleep(2_000);
      const all = events.filter((event) =>
        'symbol' in event ? event.symbol === symbol : event.symbols.includes(symbol),
      );
      const more = fake.restRequests.length - before;
      supervisor.stop();
      await fake[Symbol.asyncDispose]();
      return { events: all, more };
    }

    test('publishes trades missed during the downtime before the first quote', async () => {
      const missed = Math.min(1_500, (venue.pastTrades ?? 1_500) - 1);
      const { events } = await restart(missed, resumeAt);
      const next = 1_003 + missed;
      expect(summarize(events)).toEqual([`trades 1003-${next - 1}`, 'backfilled', 'quote', `trades ${next}-${next}`]);
    });

    test('declares a gap for more than 20,000 missed trades and does not fetch them again', async () => {
      const { events, more } = await restart(25_000, resumeAt, true);
      expect(summarize(events)).toEqual(['gap', 'quote', 'trades 26003-26003']);
      expect(more).toBe(0);
    });

    test('declares a gap for a downtime of more than a week', async () => {
      const { events } = await restart(10, (time) => resumeAt(time - 8 * DAY_MS));
      expect(summarize(events)).toEqual(['gap', 'quote', 'trades 1013-1013']);
    });

    test('declares a gap from the end of the last run if there is no trade to resume from', async () => {
      const { events } = await restart(10, (time) => ({ until: asEpochMs(time - 500), trades: new Map() }));
      expect(summarize(events)).toEqual(['gap', 'quote', 'trades 1013-1013']);
      const gap = events[0]!;
      expect(gap.kind === 'gap' && Date.now() - gap.from).toBeGreaterThanOrEqual(500);
    });
  });
});

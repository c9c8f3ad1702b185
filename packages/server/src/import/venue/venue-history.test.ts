import { describe, expect, test } from 'bun:test';
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { asEpochMs, type Bar, DAY_MS, HOUR_MS, LATE_WINDOW_MS, MINUTE_MS, roundSize } from '@tickwire/engine';
import { BTC, ETH, STARTED, storedBars, VenuePast } from '../../../testing/import/venue-past.fixture.ts';
import { KEPT_BARS } from '../../market/closed-bars.ts';
import type { BarsRequest, VenueConnector } from '../../market/feeds/connector.ts';
import { VENUE_BAR_MS } from '../../market/feeds/venues/venue-bars.ts';

const TODAY = STARTED - (STARTED % DAY_MS);
const MINUTE = STARTED - (STARTED % MINUTE_MS);
/** The ranges of the levels at the first start. */
const LEVEL_OF: Readonly<Record<Timeframe, number>> = {
  ...{ '1m': TODAY - 7 * DAY_MS, '5m': TODAY - 7 * DAY_MS, '15m': TODAY - 7 * DAY_MS },
  ...{ '1h': TODAY - 365 * DAY_MS, '4h': TODAY - 365 * DAY_MS, '1d': 0 },
};
const rounded = (bars: readonly Bar[]): Bar[] =>
  bars.map((bar) => ({
    ...bar,
    volume: roundSize(bar.volume),
    bidVolume: roundSize(bar.bidVolume),
    askVolume: roundSize(bar.askVolume),
  }));

/** Closed bars as the trades of the venue make them, each timeframe as far back as its level goes. */
const expectedBars = (past: VenuePast, now: number): Record<Timeframe, Bar[]> =>
  Object.fromEntries(
    TIMEFRAMES.map((timeframe) => [
      timeframe,
      past
        .barsOf(timeframe, LEVEL_OF[timeframe], now)
        .filter(({ time }) => time + TIMEFRAME_MS[timeframe] <= now - (now % MINUTE_MS)),
    ]),
  ) as Record<Timeframe, Bar[]>;

async function expectComplete(past: VenuePast, { store, view }: Parameters<Parameters<VenuePast['run']>[0]>[0]) {
  const stored = await storedBars(store, past.time);
  const expected = expectedBars(past, past.time);
  for (const timeframe of TIMEFRAMES) {
    expect([timeframe, rounded(stored[timeframe])]).toEqual([timeframe, expected[timeframe]]);
    // Memory has the newest bars of each timeframe.
    const kept = rounded(view.closedBars(BTC, timeframe).newest(KEPT_BARS));
    expect([timeframe, kept]).toEqual([timeframe, expected[timeframe].slice(-kept.length)]);
    expect(kept.length).toBeGreaterThanOrEqual(Math.min(500, expected[timeframe].length));
    // The forming bars have the fetched minutes as well.
    const forming = past.barsOf(timeframe, past.time - (past.time % TIMEFRAME_MS[timeframe]), past.time + 1).at(-1);
    const bar = view.forming(BTC, timeframe);
    if (bar) expect([timeframe, rounded([bar])[0]]).toEqual([timeframe, forming]);
  }
}

describe('the first start of an instrument', () => {
  test('fetches 500 bars of every timeframe, which its live trades continue without a seam, also after a restart', async () => {
    await using past = new VenuePast();
    let before: Record<Timeframe, Bar[]> | null = null;
    await past.run(async (run) => {
      await run.live(STARTED + 10_000);
      await run.fetchAll();
      for (const timeframe of TIMEFRAMES)
        expect([timeframe, run.view.closedBars(BTC, timeframe).newest(500).length]).toEqual([timeframe, 500]);
      // The minute in which recording started shows what was recorded, until it has closed.
      const recorded = past.barsOf('1m', STARTED, past.time + 1)[0]!;
      expect(rounded([run.view.forming(BTC, '1m')!])).toEqual([recorded]);
      await run.live(MINUTE + 2 * MINUTE_MS + 30_000);
      await run.fetchAll();
      await expectComplete(past, run);
      expect(await run.store.fetched(BTC, 0, past.time)).toEqual([
        { timeframe: '1d', from: Date.UTC(2009, 0, 3), to: LEVEL_OF['1h'] },
        { timeframe: '1h', from: LEVEL_OF['1h'], to: LEVEL_OF['1m'] },
        { timeframe: '1m', from: LEVEL_OF['1m'], to: MINUTE + MINUTE_MS },
      ]);
      // Live bars only: the fetched ones are no bar events, by which alerts and streams would be judged.
      const closed = run.events.flatMap((event) => (event.kind === 'bar' ? [event.bar.time] : []));
      expect(Math.min(...closed)).toBeGreaterThanOrEqual(MINUTE - (MINUTE % DAY_MS));
      expect(run.events.some(({ kind }) => kind === 'minute')).toBe(false);
      before = await storedBars(run.store, past.time);
    });
    const requests = past.fake.restRequests.length;
    await past.run(async (run) => {
      await expectComplete(past, run);
      await run.fetchAll();
      await expectComplete(past, run);
      expect(await storedBars(run.store, past.time)).toEqual(before!);
      // A clean restart fetches only the minute of its own start, later.
      expect(past.fake.restRequests.length).toBe(requests);
      await run.live(past.time + HOUR_MS);
      await run.fetchAll();
      await expectComplete(past, run);
    });
  });

  test('continues after a restart where it stopped', async () => {
    await using past = new VenuePast();
    await past.run(async (run) => {
      let requests = 0;
      past.fake.answerRest = () => (++requests > 9 ? new Response('', { status: 451 }) : null);
      while (run.history.status[0]!.lastError === null) {
        run.history.tick();
        await Bun.sleep(1);
      }
    });
    past.fake.answerRest = null;
    past.fake.restRequests.length = 0;
    await past.run(async (run) => {
      await run.live(STARTED + 2 * MINUTE_MS);
      await run.fetchAll();
      await expectComplete(past, run);
    });
    const asked = past.fake.restRequests.map(({ search }) => search);
    expect(new Set(asked).size).toBe(asked.length);
    await past.run(async (run) => {
      past.fake.restRequests.length = 0;
      await run.fetchAll();
      expect(past.fake.restRequests).toEqual([]);
    });
  });

  test('waits longer after each refusal and never delays live trades', async () => {
    await using past = new VenuePast();
    await past.run(async (run) => {
      past.fake.answerRest = () => Response.json({ code: 0, msg: 'restricted location' }, { status: 451 });
      for (let second = 0; second < 1_200; second++) {
        past.time += 1_000;
        run.history.tick();
        await run.history.idle();
      }
      const [status] = run.history.status;
      expect(status).toMatchObject({ venue: 'binance', lastError: 'refuses connections from this region (HTTP 451)' });
      expect(status!.barsLeft).toBeGreaterThan(10_000);
      expect(past.fake.restRequests.length).toBeWithin(8, 13);
      await run.live(past.time + MINUTE_MS);
      expect(run.view.forming(BTC, '1m')).not.toBeNull();
      past.fake.answerRest = null;
      past.time += 20 * MINUTE_MS;
      await run.live(past.time + 1);
      await run.fetchAll();
      expect(run.history.status[0]).toMatchObject({ barsLeft: 0, lastError: null });
    });
  });

  test('of a venue that keeps few bars has hours where it has no minutes', async () => {
    await using past = new VenuePast();
    const oldestBar = (length: '1m' | '1h' | '1d', now: number) =>
      (now - 719 * { '1m': MINUTE_MS, '1h': HOUR_MS, '1d': DAY_MS }[length]) as never;
    past.time += 5 * HOUR_MS;
    await past.run(
      async (run) => {
        await run.live(past.time + MINUTE_MS);
        await run.fetchAll();
        const stored = await storedBars(run.store, past.time);
        expect(stored['1h'].slice(-11).map(({ time }) => new Date(time).getUTCHours())).toEqual([
          ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        ]);
        expect(rounded(stored['4h']).slice(-2)).toEqual(past.barsOf('4h', TODAY + 4 * HOUR_MS, TODAY + 12 * HOUR_MS));
        expect(new Date(stored['1m'][0]!.time).toISOString()).toStartWith('2025-11-19T04:0');
        expect(stored['1d']).toHaveLength(718);
      },
      { connectors: [{ ...past.connector, oldestBar }] },
    );
  });
});

describe('a downtime', () => {
  test('whose trades are lost is filled with bars, in place of incomplete ones', async () => {
    await using past = new VenuePast();
    await past.run(async (run) => {
      await run.live(STARTED + 3 * MINUTE_MS);
      await run.fetchAll();
    });
    // Eight days: the older ones are hours.
    for (; past.time < STARTED + 8 * DAY_MS + 3 * MINUTE_MS; past.time += 2 * MINUTE_MS)
      past.fake.tape.make('BTCUSDT', 1);
    const back = past.time;
    await past.run(async (run) => {
      run.history.lost([BTC], STARTED + 3 * MINUTE_MS, back);
      await run.live(back + LATE_WINDOW_MS + 2 * MINUTE_MS);
      await run.fetchAll();
      const stored = await storedBars(run.store, past.time);
      for (const timeframe of ['1h', '4h', '1d'] as const) {
        const expected = expectedBars(past, past.time)[timeframe];
        expect([timeframe, rounded(stored[timeframe])]).toEqual([timeframe, expected]);
      }
      const minutes = past.barsOf('1m', back - (back % DAY_MS) - 7 * DAY_MS, past.time - (past.time % MINUTE_MS));
      expect(rounded(stored['1m']).slice(-minutes.length)).toEqual(minutes);
    });
  });

  test('that was bridged keeps its recorded bars; a short one that was not is fetched ten minutes later', async () => {
    await using past = new VenuePast();
    await past.run(async (run) => {
      await run.live(STARTED + 3 * MINUTE_MS);
      await run.fetchAll();
      run.setConnected(false);
      run.history.tick();
      const down = past.time - (past.time % MINUTE_MS) + MINUTE_MS;
      await run.live(down + 3 * MINUTE_MS + 23_000);
      run.setConnected(true);
      run.history.lost([BTC], down, past.time);
      const up = past.time;
      await run.live(up + MINUTE_MS);
      await run.fetchAll();
      const range = {
        symbol: BTC,
        timeframe: '1m',
        from: down,
        to: down + 2 * MINUTE_MS,
        limit: 9,
        first: 'oldest',
      } as const;
      expect(await run.store.bars(range)).toEqual([]);
      await run.live(up + LATE_WINDOW_MS + 2 * MINUTE_MS);
      await run.fetchAll();
      expect(rounded(await run.store.bars(range)).length).toBe(3);
      await expectComplete(past, run);
      const fetched = (await run.store.fetched(BTC, down, past.time)).filter(({ timeframe }) => timeframe === '1m');
      expect(fetched.every(({ to }) => to <= up + MINUTE_MS)).toBe(true);
    });
  });
});

/** A connector of the venue that notes the requests in the order in which they start. */
function noted(past: VenuePast): { connector: VenueConnector; requests: BarsRequest[] } {
  const requests: BarsRequest[] = [];
  const fetchBars = (request: BarsRequest) => {
    requests.push(request);
    return past.connector.fetchBars!(request);
  };
  return { connector: { ...past.connector, fetchBars }, requests };
}

test('an instrument whose bars are read is fetched before others', async () => {
  await using past = new VenuePast();
  const { connector, requests } = noted(past);
  await past.run(
    async ({ history }) => {
      history.asked(ETH);
      history.tick();
      await history.idle();
      expect(requests.slice(0, 2).map(({ symbol }) => symbol)).toEqual([ETH, BTC]);
    },
    { symbols: [BTC, ETH], connectors: [connector] },
  );
});

test('the chart that is read grows into the past without holes, and only what nobody reads is fetched in the background', async () => {
  await using past = new VenuePast();
  const { connector, requests } = noted(past);
  await past.run(
    async (run) => {
      run.history.asked(ETH);
      run.history.tick();
      await run.history.idle();
      const lengths = requests.filter(({ symbol }) => symbol === ETH).map(({ length }) => length);
      const [minutes, hours] = [lengths.indexOf('1h'), lengths.indexOf('1d')];
      expect(lengths).toEqual([
        ...Array<'1m'>(8).fill('1m'),
        ...lengths.slice(minutes, hours),
        ...lengths.slice(hours),
      ]);
      expect(new Set(lengths.slice(minutes, hours))).toEqual(new Set(['1h']));
      expect(new Set(lengths.slice(hours))).toEqual(new Set(['1d']));
      expect(Map.groupBy(requests, ({ isBackground }) => isBackground).size).toBe(2);
      for (const { symbol, isBackground } of requests) expect(isBackground).toBe(symbol === BTC ? true : undefined);
    },
    { connectors: [connector], symbols: [BTC, ETH] },
  );
});

test('no request in the background joins those that wait for the rate limit', async () => {
  await using past = new VenuePast();
  let requests = 0;
  const connector: VenueConnector = {
    ...past.connector,
    isBusy: () => requests > 0,
    fetchBars: (request) => {
      requests++;
      return past.connector.fetchBars!(request);
    },
  };
  await past.run(
    async (run) => {
      run.history.tick();
      await run.history.idle();
      expect(requests).toBe(1);
      run.history.asked(ETH);
      run.history.tick();
      await run.history.idle();
      expect(requests).toBeGreaterThan(10);
    },
    { connectors: [connector], symbols: [BTC, ETH] },
  );
});

test('an instrument whose bars are refused does not hold up others', async () => {
  await using past = new VenuePast();
  past.fake.answerRest = ({ searchParams }) =>
    searchParams.get('symbol') === 'ETHUSDT'
      ? Response.json({ code: -1121, msg: 'Invalid symbol.' }, { status: 400 })
      : null;
  await past.run(
    async (run) => {
      for (let second = 0; second < 300; second++) {
        past.time += 1_000;
        run.history.tick();
        await run.history.idle();
      }
      const levels = await run.store.fetched(BTC, 0, past.time);
      expect(levels.map(({ timeframe }) => timeframe)).toEqual(['1d', '1h', '1m']);
      expect(await run.store.fetched(ETH, 0, past.time)).toEqual([]);
    },
    { symbols: [ETH, BTC] },
  );
});

test('the next venue is asked while the first one refuses', async () => {
  await using past = new VenuePast();
  let isBlocked = true;
  const asked: string[] = [];
  const blocked: VenueConnector = {
    ...{ ...past.connector, name: 'blocked' },
    fetchBars: async (request) => {
      asked.push(request.length);
      if (isBlocked) throw new Error('status 451');
      return past.connector.fetchBars!(request);
    },
  };
  await past.run(
    async (run) => {
      await run.live(STARTED + 3 * MINUTE_MS);
      await run.fetchAll();
      await expectComplete(past, run);
      expect(asked).toEqual(['1m']);
      expect(run.history.status.map(({ venue, lastError }) => [venue, lastError])).toEqual([
        ['blocked', 'refuses connections from this region (HTTP 451)'],
        ['binance', null],
      ]);
      // The first venue is asked again later.
      isBlocked = false;
      run.setConnected(false);
      run.history.tick();
      await run.live(past.time + 5 * MINUTE_MS);
      run.setConnected(true);
      await run.live(past.time + LATE_WINDOW_MS + 2 * MINUTE_MS);
      await run.fetchAll();
      expect(asked.length).toBe(2);
    },
    { connectors: [blocked, past.connector] },
  );
});

test('minutes of lost trades are fetched, although the source was connected throughout', async () => {
  await using past = new VenuePast();
  await past.run(async (run) => {
    await run.live(STARTED + 3 * MINUTE_MS);
    await run.fetchAll();
    await run.live(past.time + 10 * MINUTE_MS);
    const lost = MINUTE + 6 * MINUTE_MS;
    run.history.lost([BTC], lost + 30_000, lost + MINUTE_MS + 30_000);
    past.fake.restRequests.length = 0;
    await run.live(past.time + LATE_WINDOW_MS + 2 * MINUTE_MS);
    await run.fetchAll();
    const ranges = past.fake.restRequests.map(({ searchParams }) => Number(searchParams.get('startTime')));
    expect(ranges).toContain(lost);
    await expectComplete(past, run);
  });
});

describe('an answer without bars', () => {
  /** Answers nothing while `isBroken`; counts requests by length. */
  const breakable = (past: VenuePast) => {
    const state = { isBroken: true, asked: { '1m': 0, '1h': 0, '1d': 0 } };
    const connector: VenueConnector = {
      ...past.connector,
      fetchBars: async (request) => {
        state.asked[request.length]++;
        return state.isBroken ? [] : past.connector.fetchBars!(request);
      },
    };
    return { state, connectors: [connector] };
  };

  test('does not end the history: the venue is asked again later, also after a restart', async () => {
    await using past = new VenuePast();
    const { state, connectors } = breakable(past);
    await past.run(
      async (run) => {
        await run.live(STARTED + 3 * MINUTE_MS);
        await run.fetchAll();
        expect(await run.store.fetched(BTC, 0, past.time)).toEqual([]);
        const before = { ...state.asked };
        await run.fetchAll();
        expect(state.asked).toEqual(before);
        state.isBroken = false;
        past.time += 11 * MINUTE_MS;
        await run.live(past.time + MINUTE_MS);
        await run.fetchAll();
        const levels = await run.store.fetched(BTC, 0, past.time);
        expect(levels.map(({ timeframe }) => timeframe)).toEqual(['1d', '1h', '1m']);
      },
      { connectors },
    );
    await using other = new VenuePast();
    const again = breakable(other);
    await other.run((run) => run.fetchAll(), { connectors: again.connectors });
    again.state.isBroken = false;
    await other.run(
      async (run) => {
        await run.live(STARTED + 3 * MINUTE_MS);
        await run.fetchAll();
        await expectComplete(other, run);
      },
      { connectors: again.connectors },
    );
  });

  test('is believed after a day of the same answers, with few requests until then', async () => {
    await using past = new VenuePast();
    const { state, connectors } = breakable(past);
    await past.run(
      async (run) => {
        for (let minute = 0; minute < 31 * 60; minute += 5) {
          past.time += 5 * MINUTE_MS;
          await run.fetchAll();
        }
        const days = (await run.store.fetched(BTC, 0, past.time)).filter(({ timeframe }) => timeframe === '1d');
        expect(days[0]?.from).toBe(Date.UTC(2009, 0, 3));
        expect(state.asked['1d']).toBeWithin(6, 25);
      },
      { connectors },
    );
  });

  test('is believed at once before the oldest bar of the venue', async () => {
    await using past = new VenuePast();
    await past.run(async (run) => {
      await run.live(STARTED + 3 * MINUTE_MS);
      await run.fetchAll();
      const [days] = await run.store.fetched(BTC, 0, past.time);
      expect(days).toMatchObject({ timeframe: '1d', from: Date.UTC(2009, 0, 3) });
    });
  });
});

test('minutes of lost trades are fetched, although the service was restarted before they were', async () => {
  await using past = new VenuePast();
  const lost = MINUTE + 6 * MINUTE_MS;
  await past.run(async (run) => {
    await run.live(STARTED + 3 * MINUTE_MS);
    await run.fetchAll();
    await run.live(past.time + 10 * MINUTE_MS);
    run.history.lost([BTC], lost + 30_000, lost + MINUTE_MS + 30_000);
  });
  past.fake.restRequests.length = 0;
  await past.run(async (run) => {
    await run.live(past.time + LATE_WINDOW_MS + 2 * MINUTE_MS);
    await run.fetchAll();
    const ranges = past.fake.restRequests.map(({ searchParams }) => Number(searchParams.get('startTime')));
    expect(ranges).toContain(lost);
    await expectComplete(past, run);
  });
});

test('ranges that a venue dropped before it answered do not count as fetched', async () => {
  await using past = new VenuePast();
  let kept = 719;
  const connector: VenueConnector = {
    ...past.connector,
    oldestBar: (length, now) => asEpochMs(now - kept * VENUE_BAR_MS[length]),
    fetchBars: async (request) => {
      const bars = await past.connector.fetchBars!(request);
      if (request.length === '1d') kept = 500;
      return bars;
    },
  };
  await past.run(
    async (run) => {
      await run.live(STARTED + 3 * MINUTE_MS);
      await run.fetchAll();
      const days = (await run.store.fetched(BTC, 0, past.time)).filter(({ timeframe }) => timeframe === '1d');
      expect(days[0]!.from).toBeGreaterThanOrEqual(past.time - 500 * DAY_MS);
    },
    { connectors: [connector] },
  );
});

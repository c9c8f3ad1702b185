// Streams from a real service over a failing network: no duplicates, no loss, or a gap.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { appendEvents, tickEvents } from 'tickwire/testing/market-events.fixture.ts';
import { metric } from 'tickwire/testing/metric.fixture.ts';
import { newsEvent } from 'tickwire/testing/news.fixture.ts';
import { eventually } from 'tickwire/testing/process.fixture.ts';
import { atMarket, TestPublisher } from 'tickwire/testing/publisher.fixture.ts';
import { type RunningService, startService, temporaryFolder } from 'tickwire/testing/service.fixture.ts';
import { StreamClient } from 'tickwire/testing/stream-client.fixture.ts';
import { TcpProxy } from '../../testing/tcp-proxy.ts';
import { TickwireClient } from '../client.ts';
import { realTiming } from '../common/timing.ts';
import type { Gap } from './gap.ts';

/** Short backoff: these tests are about what follows a reconnect. */
const timing = { ...realTiming, random: () => 0.05 };
const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD', 'USDJPY', 'GBPUSD'];

let busy: RunningService;
let key: string;
beforeAll(async () => {
  busy = await startService({ sim_rate: '2000' });
  ({ key } = await busy.key('premium'));
});
afterAll(() => busy.stop());

const open: { close?(): void; stop?(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) {
    each.close?.();
    each.stop?.();
  }
});
const track = <T extends { close?(): void; stop?(): void }>(it: T): T => {
  open.push(it);
  return it;
};

interface Seen {
  readonly symbol: string;
  readonly seq?: number | undefined;
  readonly prev?: number | undefined;
}
const seqs = (messages: readonly Seen[]): number[] => messages.map(({ seq }) => Number(seq));
const numberOf = (of: readonly { readonly seq?: unknown }[]): number => Number(of.at(-1)?.seq ?? 0);

describe('2,000 ticks per second', () => {
  test('arrive without gaps or duplicates when the connection is cut repeatedly', async () => {
    const proxy = track(new TcpProxy(busy.url));
    const reference = track(await StreamClient.open(`${busy.wsUrl}/ws/market`, key));
    await reference.ask({ action: 'subscribe', symbols: SYMBOLS, seq: true });
    const client = new TickwireClient({ url: proxy.url, apiKey: key, timing });
    const [ticks, gaps]: [Seen[], Gap[]] = [[], []];
    const stream = track(
      client.stream(
        'market',
        { symbols: SYMBOLS, seq: true },
        { onMessage: (tick) => ticks.push(tick), onGap: (gap) => gaps.push(gap) },
      ),
    );
    await eventually('the snapshots', () => ticks.length > SYMBOLS.length);
    for (let cut = 1; cut <= 6; cut++) {
      const before = ticks.length;
      await eventually('some ticks', () => ticks.length > before + 30 * cut);
      proxy.cut();
      await eventually('the reconnect', () => proxy.connections === cut + 1 && stream.state === 'live');
    }
    const goal = numberOf(ticks) + 300;
    await eventually('the live messages', () => numberOf(ticks) >= goal);
    stream.close();

    expect(gaps).toEqual([]);
    // The snapshots show earlier ticks; after the newest of them both clients must have received the same.
    const from = Math.max(...seqs(ticks.slice(0, SYMBOLS.length)));
    const to = numberOf(ticks);
    await reference.next(({ seq }) => Number(seq) >= to);
    const wanted = reference.messages.filter(({ event, seq }) => !event && Number(seq) > from && Number(seq) <= to);
    expect(seqs(ticks).filter((seq) => seq > from)).toEqual(wanted.map(({ seq }) => Number(seq)));
    expect(wanted.length).toBeGreaterThan(500);
  });

  test('resume without loss within seconds after the connection falls silent', async () => {
    const proxy = track(new TcpProxy(busy.url));
    const client = new TickwireClient({ url: proxy.url, apiKey: key, timing });
    const gaps: Gap[] = [];
    const ticks = track(
      client.live.ticks({ symbols: ['EURUSD'], seq: true, heartbeatSeconds: 1, onGap: (gap) => gaps.push(gap) }),
    );
    const states: string[] = [];
    void (async () => {
      for await (const { state } of ticks.states()) states.push(state);
    })();
    let last = 0;
    let stalled = false;
    for await (const { seq = 0, prev = 0 } of ticks) {
      if (last > 0) expect(prev).toBe(last);
      last = seq;
      if (!stalled && states.includes('live')) {
        stalled = true;
        proxy.stall();
      }
      if (states.filter((state) => state === 'live').length === 2) break;
    }
    expect(states).toEqual(['connecting', 'live', 'stale', 'connecting', 'connecting', 'live']);
    expect(gaps).toEqual([]);
    await eventually('the end', () => states.at(-1) === 'closed');
  });

  test('arrive without loss while the symbols change during a replay', async () => {
    const proxy = track(new TcpProxy(busy.url));
    const client = new TickwireClient({ url: proxy.url, apiKey: key, timing });
    const [ticks, gaps]: [Seen[], Gap[]] = [[], []];
    const stream = track(
      client.stream(
        'market',
        { symbols: ['EURUSD'], seq: true },
        { onMessage: (tick) => ticks.push(tick), onGap: (gap) => gaps.push(gap) },
      ),
    );
    await eventually('ticks', () => ticks.length > 5);
    for (let round = 2; round <= SYMBOLS.length; round++) {
      proxy.cut();
      stream.setSymbols(SYMBOLS.slice(0, round));
      await eventually('it is live', () => stream.state === 'live');
      stream.setSymbols([...SYMBOLS.slice(0, round), 'ETHUSD']);
      proxy.cut();
      const symbol = SYMBOLS[round - 1]!;
      await eventually('ticks of the new symbol', () => ticks.filter((tick) => tick.symbol === symbol).length > 2);
      stream.setSymbols(SYMBOLS.slice(0, round));
    }
    stream.close();
    expect(gaps).toEqual([]);
    for (const symbol of SYMBOLS) {
      const own = ticks.filter((tick) => tick.symbol === symbol);
      expect(own.slice(1).map(({ prev }) => prev)).toEqual(own.slice(0, -1).map(({ seq }) => seq));
    }
  });
});

describe('a restart of the service', () => {
  test('causes a gap in ticks, but none in signals', async () => {
    const data = temporaryFolder();
    let service = await startService({ data, sim_rate: '200' });
    const publisher = await TestPublisher.of(service);
    const { key: own } = publisher.issued;
    const proxy = track(new TcpProxy(service.url));
    const client = new TickwireClient({ url: proxy.url, apiKey: own, timing });
    const [tickGaps, signalGaps, ids]: [Gap[], Gap[], string[]] = [[], [], []];
    const ticks = track(
      client.stream('market', { symbols: ['EURUSD'] }, { onMessage() {}, onGap: (gap) => tickGaps.push(gap) }),
    );
    const signals = track(
      client.stream('signals', {}, { onMessage: ({ id }) => ids.push(id), onGap: (gap) => signalGaps.push(gap) }),
    );
    await eventually('both live', () => ticks.state === 'live' && signals.state === 'live');

    // The connection is lost before any message arrived: the position is known all the same.
    proxy.refuse();
    proxy.cut();
    const published = [(await publisher.published(await atMarket(publisher))).id];
    await service.stop();
    service = await startService({ data, sim_rate: '200' });
    const after = new TestPublisher(service, publisher.issued);
    await eventually('a price', async () => (await after.get('/api/market/EURUSD/quote')).ok);
    published.push((await after.published(await atMarket(after))).id);
    proxy.retarget(service.url);
    proxy.accept();
    await eventually('both signals', () => ids.length === 2, 10_000);
    await eventually('the gap', () => tickGaps.length > 0);
    expect(ids).toEqual(published);
    expect(signalGaps).toEqual([]);
    expect(tickGaps).toMatchObject([
      {
        type: 'gap',
        reason: 'resume',
        symbols: ['EURUSD'],
        since: expect.any(Number),
        fill: '/api/market/{symbol}?timeframe=1m&from={since}',
      },
    ]);
    expect(tickGaps[0]?.toSeq).toBeGreaterThanOrEqual(Number(tickGaps[0]?.fromSeq));
    ticks.close();
    signals.close();
    await service.stop();
  });
});

test('delivers news published during a disconnect exactly once', async () => {
  const proxy = track(new TcpProxy(busy.url));
  const client = new TickwireClient({ url: proxy.url, apiKey: key, timing });
  const titles: string[] = [];
  const gaps: Gap[] = [];
  const stream = track(
    client.stream(
      'news',
      { symbols: ['EURUSD'] },
      { onMessage: ({ id }) => titles.push(id), onGap: (gap) => gaps.push(gap) },
    ),
  );
  const publish = (id: string): void =>
    void busy.app.journal.append([newsEvent(id, { symbols: ['EURUSD', 'XAUUSD'] })]);
  await eventually('live', () => stream.state === 'live');
  for (let round = 0; round < 3; round++) {
    proxy.refuse();
    proxy.cut();
    await eventually('the drop', () => stream.state === 'connecting');
    publish(`offline-${round}`);
    if (round === 1) stream.setSymbols(['EURUSD', 'XAUUSD']);
    proxy.accept();
    await eventually('live again', () => stream.state === 'live');
    publish(`online-${round}`);
    await eventually('both', () => titles.length === 2 * (round + 1));
  }
  expect(titles).toEqual(['offline-0', 'online-0', 'offline-1', 'online-1', 'offline-2', 'online-2']);
  expect(gaps).toEqual([]);
});

test('resumes a stream of bars without a gap', async () => {
  const proxy = track(new TcpProxy(busy.url));
  const client = new TickwireClient({ url: proxy.url, apiKey: key, timing });
  let count = 0;
  for await (const event of client.live.bars({ symbols: ['EURUSD'], timeframe: '1m' }).events()) {
    expect(event.type).not.toBe('gap');
    if (event.type !== 'message') continue;
    if (++count % 2 === 0 && count < 10) proxy.cut();
    if (count === 12) break;
  }
  expect(proxy.connections).toBe(5);
});

test('reports a gap after each reconnect of a throttled stream, which cannot resume', async () => {
  const proxy = track(new TcpProxy(busy.url));
  const client = new TickwireClient({ url: proxy.url, apiKey: key, timing });
  const events: string[] = [];
  for await (const event of client.live.bars({ symbols: ['EURUSD'], timeframe: '1m', maxRate: 5 }).events()) {
    events.push(event.type === 'state' ? event.state : event.type);
    if (event.type === 'message') expect(event.message).toMatchObject({ channel: 'bars', timeframe: '1m' });
    if (event.type === 'message' && proxy.connections === 1) proxy.cut();
    else if (event.type === 'message' && events.includes('gap')) break;
    if (event.type === 'gap') expect(event).toMatchObject({ reason: 'resume', symbols: ['EURUSD'] });
  }
  expect(events.filter((type) => type === 'gap')).toHaveLength(1);
  expect(events.lastIndexOf('message')).toBeGreaterThan(events.indexOf('gap'));
});

test('reports one gap for a slow connection, and nothing is missing around it', async () => {
  const quiet = await startService({ feeds: 'push', metrics_port: '0' });
  const { key: own } = await quiet.key('premium');
  await appendEvents(quiet, tickEvents(2, ['EURUSD', 'XAUUSD']));
  const proxy = track(new TcpProxy(quiet.url));
  const client = new TickwireClient({ url: proxy.url, apiKey: own, timing });
  const [ticks, gaps, notices]: [Seen[], Gap[], string[]] = [[], [], []];
  const stream = track(
    client.stream(
      'market',
      { symbols: ['EURUSD', 'XAUUSD'], seq: true },
      {
        onMessage: (tick) => ticks.push(tick),
        onGap: (gap) => gaps.push(gap),
        onNotice: ({ event }) => notices.push(event),
      },
    ),
  );
  await eventually('the snapshots', () => ticks.length === 2);
  proxy.throttle();
  await eventually('the service reports a slow consumer', async () => {
    await appendEvents(quiet, tickEvents(5_000, ['EURUSD', 'XAUUSD']));
    return (await metric(quiet, 'tickwire_ws_slow_total')) > 0;
  });
  // The service may have noticed only after the last of them; these are dropped for certain.
  await appendEvents(quiet, tickEvents(200, ['EURUSD', 'XAUUSD']));
  proxy.unthrottle();
  await eventually('the gap', () => gaps.length > 0, 10_000);
  await appendEvents(quiet, tickEvents(200, ['EURUSD', 'XAUUSD']));
  await eventually('the live messages', () => numberOf(ticks) >= quiet.app.journal.lastSeq);
  expect(notices).toContain('slow');
  expect(gaps.map(({ reason }) => reason)).toEqual(['slow']);
  const seen = new Set(seqs(ticks));
  expect(seen.size).toBe(ticks.length);
  expect(ticks.length + Number(gaps[0]?.dropped)).toBe(quiet.app.journal.lastSeq - Math.min(...seen) + 1);
  stream.close();
  await quiet.stop();
});

test('reports a gap after a disconnect that outlasts the memory of the service', async () => {
  const small = await startService({ feeds: 'push', resume_messages: '1024' });
  const { key: own } = await small.key('premium');
  await appendEvents(small, tickEvents(2, ['EURUSD', 'XAUUSD']));
  const proxy = track(new TcpProxy(small.url));
  const client = new TickwireClient({ url: proxy.url, apiKey: own, timing });
  const events: (string | number)[] = [];
  const stream = track(
    client.stream(
      'market',
      { symbols: ['EURUSD', 'XAUUSD'] },
      { onMessage: ({ volume }) => events.push(volume), onGap: ({ reason }) => events.push(reason) },
    ),
  );
  await eventually('the snapshots', () => events.length === 2);
  proxy.refuse();
  proxy.cut();
  await appendEvents(small, tickEvents(5_000, ['EURUSD', 'XAUUSD']));
  proxy.accept();
  await eventually('the snapshots after the gap', () => events.length >= 5);
  expect(events).toEqual([0, 0, 'resume', 0, 0]);
  stream.close();
  await small.stop();
});

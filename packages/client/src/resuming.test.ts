// Streams over a network that breaks, from a real service: nothing twice, nothing lost, or a gap that says so.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { bring, tickEvents } from 'tickwire/src/testing/market-events.fixture.ts';
import { metric } from 'tickwire/src/testing/metric.fixture.ts';
import { newsEvent } from 'tickwire/src/testing/news.fixture.ts';
import { eventually } from 'tickwire/src/testing/process.fixture.ts';
import { atMarket, TestPublisher } from 'tickwire/src/testing/publisher.fixture.ts';
import { type RunningService, startService, temporaryFolder } from 'tickwire/src/testing/service.fixture.ts';
import { StreamClient } from 'tickwire/src/testing/stream-client.fixture.ts';
import { TickwireClient } from './client.ts';
import type { Gap } from './gap.ts';
import { TcpProxy } from './tcp-proxy.fixture.ts';
import { realTiming } from './timing.ts';

/** Reconnects come at once: the tests are about what comes after. */
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
const kept = <T extends { close?(): void; stop?(): void }>(it: T): T => {
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

describe('ticks of a market with two thousand a second', () => {
  test('come without a gap and without a duplicate, however often the connection is cut', async () => {
    const proxy = kept(new TcpProxy(busy.url));
    const stayer = kept(await StreamClient.open(`${busy.wsUrl}/ws/market`, key));
    await stayer.ask({ action: 'subscribe', symbols: SYMBOLS, seq: true });
    const client = new TickwireClient({ url: proxy.url, apiKey: key, timing });
    const [ticks, gaps]: [Seen[], Gap[]] = [[], []];
    const stream = kept(
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
      await eventually('it is back', () => proxy.connections === cut + 1 && stream.state === 'live');
    }
    const goal = numberOf(ticks) + 300;
    await eventually('what is live', () => numberOf(ticks) >= goal);
    stream.close();

    expect(gaps).toEqual([]);
    // The snapshots tell of what was before; from the newest of them on it has what the one that stayed has.
    const from = Math.max(...seqs(ticks.slice(0, SYMBOLS.length)));
    const to = numberOf(ticks);
    await stayer.next(({ seq }) => Number(seq) >= to);
    const wanted = stayer.messages.filter(({ event, seq }) => !event && Number(seq) > from && Number(seq) <= to);
    expect(seqs(ticks).filter((seq) => seq > from)).toEqual(wanted.map(({ seq }) => Number(seq)));
    expect(wanted.length).toBeGreaterThan(500);
  }, 20_000);

  test('are found again when the link falls silent, within seconds, and nothing is missing', async () => {
    const proxy = kept(new TcpProxy(busy.url));
    const client = new TickwireClient({ url: proxy.url, apiKey: key, timing });
    const gaps: Gap[] = [];
    const ticks = kept(
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
  }, 15_000);

  test('can be changed while they flow, also while what was missed is still coming', async () => {
    const proxy = kept(new TcpProxy(busy.url));
    const client = new TickwireClient({ url: proxy.url, apiKey: key, timing });
    const [ticks, gaps]: [Seen[], Gap[]] = [[], []];
    const stream = kept(
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
      await eventually('ticks of the new one', () => ticks.filter((tick) => tick.symbol === symbol).length > 2);
      stream.setSymbols(SYMBOLS.slice(0, round));
    }
    stream.close();
    expect(gaps).toEqual([]);
    for (const symbol of SYMBOLS) {
      const own = ticks.filter((tick) => tick.symbol === symbol);
      expect(own.slice(1).map(({ prev }) => prev)).toEqual(own.slice(0, -1).map(({ seq }) => seq));
    }
  }, 20_000);
});

describe('a service that is restarted', () => {
  test('leaves a gap in ticks, and none in signals', async () => {
    const data = temporaryFolder();
    let service = await startService({ data, sim_rate: '200' });
    const publisher = await TestPublisher.of(service);
    const { key: own } = publisher.issued;
    const proxy = kept(new TcpProxy(service.url));
    const client = new TickwireClient({ url: proxy.url, apiKey: own, timing });
    const [tickGaps, signalGaps, ids]: [Gap[], Gap[], string[]] = [[], [], []];
    const ticks = kept(
      client.stream('market', { symbols: ['EURUSD'] }, { onMessage() {}, onGap: (gap) => tickGaps.push(gap) }),
    );
    const signals = kept(
      client.stream('signals', {}, { onMessage: ({ id }) => ids.push(id), onGap: (gap) => signalGaps.push(gap) }),
    );
    await eventually('both live', () => ticks.state === 'live' && signals.state === 'live');

    // Nothing has come on the stream yet when the connection is lost: where it stands, it knows all the same.
    proxy.refuse();
    proxy.cut();
    const published = [(await publisher.published(await atMarket(publisher))).id];
    await service.stop();
    service = await startService({ data, sim_rate: '200' });
    const after = new TestPublisher(service, publisher.issued);
    await eventually('a price', async () => (await after.get('/api/market/EURUSD/quote')).ok);
    published.push((await after.published(await atMarket(after))).id);
    proxy.retarget(service.url);
    proxy.mend();
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
  }, 20_000);
});

test('news that came while the reader was away come when it is back, once', async () => {
  const proxy = kept(new TcpProxy(busy.url));
  const client = new TickwireClient({ url: proxy.url, apiKey: key, timing });
  const titles: string[] = [];
  const gaps: Gap[] = [];
  const stream = kept(
    client.stream(
      'news',
      { symbols: ['EURUSD'] },
      { onMessage: ({ id }) => titles.push(id), onGap: (gap) => gaps.push(gap) },
    ),
  );
  const say = (id: string): void => void busy.app.journal.append([newsEvent(id, { symbols: ['EURUSD', 'XAUUSD'] })]);
  await eventually('live', () => stream.state === 'live');
  for (let round = 0; round < 3; round++) {
    proxy.refuse();
    proxy.cut();
    await eventually('the drop', () => stream.state === 'connecting');
    say(`away-${round}`);
    if (round === 1) stream.setSymbols(['EURUSD', 'XAUUSD']);
    proxy.mend();
    await eventually('live again', () => stream.state === 'live');
    say(`here-${round}`);
    await eventually('both', () => titles.length === 2 * (round + 1));
  }
  expect(titles).toEqual(['away-0', 'here-0', 'away-1', 'here-1', 'away-2', 'here-2']);
  expect(gaps).toEqual([]);
});

test('bars cannot be resumed: a gap says so after each reconnect, and they start with what is newest', async () => {
  const proxy = kept(new TcpProxy(busy.url));
  const client = new TickwireClient({ url: proxy.url, apiKey: key, timing });
  const events: string[] = [];
  for await (const event of client.live.bars({ symbols: ['EURUSD'], timeframe: '1m' }).events()) {
    events.push(event.type === 'state' ? event.state : event.type);
    if (event.type === 'message') expect(event.message).toMatchObject({ channel: 'bars', timeframe: '1m' });
    if (event.type === 'message' && proxy.connections === 1) proxy.cut();
    else if (event.type === 'message' && events.includes('gap')) break;
    if (event.type === 'gap') expect(event).toMatchObject({ reason: 'resume', symbols: ['EURUSD'] });
  }
  expect(events.filter((type) => type === 'gap')).toHaveLength(1);
  expect(events.lastIndexOf('message')).toBeGreaterThan(events.indexOf('gap'));
});

test('a connection that did not keep up has one gap, where the service says so, and is whole around it', async () => {
  const quiet = await startService({ feeds: 'push', metrics_port: '0' });
  const { key: own } = await quiet.key('premium');
  await bring(quiet, tickEvents(2, ['EURUSD', 'XAUUSD']));
  const proxy = kept(new TcpProxy(quiet.url));
  const client = new TickwireClient({ url: proxy.url, apiKey: own, timing });
  const [ticks, gaps, notices]: [Seen[], Gap[], string[]] = [[], [], []];
  const stream = kept(
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
  proxy.choke();
  await eventually(
    'the service finds it slow',
    async () => {
      await bring(quiet, tickEvents(5_000, ['EURUSD', 'XAUUSD']));
      return (await metric(quiet, 'tickwire_ws_slow_total')) > 0;
    },
    15_000,
  );
  // It may have been found slow after the last of them: these are left out for certain.
  await bring(quiet, tickEvents(200, ['EURUSD', 'XAUUSD']));
  proxy.unchoke();
  await eventually('the gap', () => gaps.length > 0, 10_000);
  await bring(quiet, tickEvents(200, ['EURUSD', 'XAUUSD']));
  await eventually('what is live', () => numberOf(ticks) >= quiet.app.journal.lastSeq);
  expect(notices).toContain('slow');
  expect(gaps.map(({ reason }) => reason)).toEqual(['slow']);
  const seen = new Set(seqs(ticks));
  expect(seen.size).toBe(ticks.length);
  expect(ticks.length + Number(gaps[0]?.dropped)).toBe(quiet.app.journal.lastSeq - Math.min(...seen) + 1);
  stream.close();
  await quiet.stop();
}, 30_000);

test('a reader that was away for longer than the service remembers is told what it missed', async () => {
  const small = await startService({ feeds: 'push', resume_messages: '1024' });
  const { key: own } = await small.key('premium');
  await bring(small, tickEvents(2, ['EURUSD', 'XAUUSD']));
  const proxy = kept(new TcpProxy(small.url));
  const client = new TickwireClient({ url: proxy.url, apiKey: own, timing });
  const events: (string | number)[] = [];
  const stream = kept(
    client.stream(
      'market',
      { symbols: ['EURUSD', 'XAUUSD'] },
      { onMessage: ({ volume }) => events.push(volume), onGap: ({ reason }) => events.push(reason) },
    ),
  );
  await eventually('the snapshots', () => events.length === 2);
  proxy.refuse();
  proxy.cut();
  await bring(small, tickEvents(5_000, ['EURUSD', 'XAUUSD']));
  proxy.mend();
  await eventually('the snapshots after the gap', () => events.length >= 5);
  expect(events).toEqual([0, 0, 'resume', 0, 0]);
  stream.close();
  await small.stop();
});

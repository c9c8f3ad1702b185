// Five questions that people ask an agent, over both transports: which calls answer them, what the answers contain, and that
// the numbers are those of REST.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { BarsPage, FootprintPage, IndicatorSet, NewsDetail, Profile, SignalDetail } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { TestAgent } from '../../testing/mcp.fixture.ts';
import { TestWire } from '../../testing/newswire.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { atMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { correlations, statisticsOf } from './statistics.ts';

const SYMBOLS = ['EURUSD', 'GBPUSD', 'XAUUSD', 'BTCUSD', 'US500'];
const HEADLINE = 'Gold jumps to a record high as investors seek safety from inflation';
const MINUTE = 60_000;

let service: RunningService;
let publisher: TestPublisher;
let closed: SignalDetail;
const from = Math.floor(Date.now() / DAY_MS) * DAY_MS - 730 * DAY_MS;
beforeAll(async () => {
  service = await startService({ ingest_lines_per_minute: '30000' });
  publisher = await TestPublisher.of(service);
  const wire = await TestWire.of(service);
  await wire.send({ title: HEADLINE, url: 'https://example.org/gold', id: 'g-1' });
  const signal = await publisher.published(await atMarket(publisher, 'BTCUSD'));
  await publisher.filled(signal.id);
  await publisher.closed(signal.id);
  closed = await publisher.detail(signal.id);
  await publisher.published(await atMarket(publisher, 'EURUSD'));
  await wire.shows(HEADLINE);
});
afterAll(() => service.stop());

const connect = {
  'HTTP, 2026-07-28': () => TestAgent.overHttp(service.url, publisher.issued.key),
  'HTTP, before': () => TestAgent.overHttp(service.url, publisher.issued.key, 'legacy'),
  stdio: () => TestAgent.overStdio(service.url, publisher.issued.key),
} as const;

const daily = async (symbol: string) => {
  const { items } = await publisher.read<BarsPage>(`/api/bars/${symbol}?interval=1d&limit=10000&from=${from}`);
  return items.map((bar) => ({ ...bar, time: Date.parse(bar.time) }));
};

describe.each(Object.entries(connect))('over %s', (_, open) => {
  let agent: TestAgent;
  beforeAll(async () => {
    agent = await open();
  });
  afterAll(() => agent.close());

  test('“Compare these five markets over two years” takes one call', async () => {
    const { data, summary } = await agent.call('get_bars', { symbols: SYMBOLS, from: new Date(from).toISOString() });
    const series = new Map<string, Awaited<ReturnType<typeof daily>>>();
    for (const symbol of SYMBOLS) series.set(symbol, await daily(symbol));
    expect(Object.keys(data.statistics.symbols)).toEqual(SYMBOLS);
    for (const symbol of SYMBOLS) {
      const own = data.statistics.symbols[symbol];
      const expected = statisticsOf(series.get(symbol)!)!;
      // The last bar forms on while the two are read.
      expect({ ...own, last: 0, return_percent: 0, volatility_percent: 0 }).toEqual({
        ...expected,
        last: 0,
        return_percent: 0,
        volatility_percent: 0,
      });
      expect(own.return_percent).toBeCloseTo(expected.return_percent, 0);
      expect(own.volatility_percent).toBeCloseTo(expected.volatility_percent!, 0);
      expect(own.bars).toBeGreaterThan(700);
      expect(summary).toContain(symbol);
    }
    const expected = await correlations(series);
    expect(Object.keys(data.statistics.correlation)).toEqual(Object.keys(expected));
    for (const [pair, value] of Object.entries(expected))
      expect(data.statistics.correlation[pair]).toBeCloseTo(value!, 1);
    expect(data).toMatchObject({ interval: '1M', next: null, source: 'simulated', last_bar: 'forming' });
    expect(data.statistics.interval).toBe('1d');
    expect(data.rows.length).toBeWithin(24, 26);
    expect(data.columns).toEqual(['time', ...SYMBOLS.map((symbol) => `${symbol} close`)]);
    // Closed months are exactly those of REST.
    const months = await publisher.read<BarsPage>('/api/bars/XAUUSD?interval=1M&limit=30');
    const gold = new Map(months.items.map(({ time, close }) => [time.slice(0, 10), close]));
    for (const row of data.rows.slice(0, -1)) expect(row[3]).toBe(gold.get(row[0]));
  });

  test('“How is gold doing, and what is being said about it?” takes three calls', async () => {
    const found = await agent.call('find_instruments', { query: 'gold' });
    expect(found.data.items).toMatchObject([{ symbol: 'XAUUSD', name: 'Gold / US Dollar' }]);
    const { data: quote } = await agent.call('get_quotes', { symbols: ['XAUUSD'] });
    const rest = await publisher.read<{ bid: number; timestamp: string }>('/api/market/XAUUSD/quote');
    expect(quote.items[0].bid / rest.bid).toBeCloseTo(1, 3);
    expect(Math.abs(Date.parse(rest.timestamp) - Date.parse(quote.as_of))).toBeLessThan(MINUTE);
    const { data: news } = await agent.call('get_news', { symbol: 'XAUUSD' });
    const [item] = (await publisher.read<{ items: NewsDetail[] }>('/api/news?symbol=XAUUSD&detail=true')).items;
    expect(news.items).toMatchObject([
      { headline: HEADLINE, sentiment: item!.sentiment, symbols: ['XAUUSD'], url: 'https://example.org/gold' },
    ]);
    expect(news.items[0].score).toBeCloseTo(item!.sentiment_score, 2);
    expect(news).toMatchObject({ stale: false, notice: expect.stringContaining('never as instructions') });
    expect(news.sentiment).toMatchObject({ count: 1, bullish: 1, bearish: 0 });
  });

  test('“Can I trust this publisher?” ends with a verified signal', async () => {
    const { data: list } = await agent.call('get_signals', { view: 'publishers' });
    expect(list.items.map(({ name }: { name: string }) => name)).toContain(publisher.name);
    const { data: record } = await agent.call('get_signals', { view: 'publishers', publisher: publisher.name });
    expect(record.items[0]).toMatchObject({ name: publisher.name, status: 'unproven', signals: 2, active: 1 });
    const { data: ended } = await agent.call('get_signals', { status: 'closed', publisher: publisher.name });
    expect(ended.items).toHaveLength(1);
    expect(ended.items[0]).toMatchObject({ id: closed.id, reason: 'manual', symbol: 'BTCUSD' });
    const { data: proof, summary } = await agent.call('verify_signal', { id: closed.id });
    expect(proof).toMatchObject({ verified: true, faults: [], signal: ended.items[0] });
    expect(proof.checks).toMatchObject({ result_reproduced: true, head_signature: true });
    expect(summary).toStartWith('Verified: BTCUSD buy');
  });

  test('“What are the open ideas on the euro, and is the market open?” takes one call', async () => {
    const { data } = await agent.call('get_signals', { symbol: 'eur/usd' });
    const { items } = await publisher.read<{ items: SignalDetail[] }>('/api/signals?symbol=EURUSD&detail=true');
    expect(data.items).toHaveLength(items.length);
    expect(data.items[0]).toMatchObject({ id: items[0]!.id, entry: items[0]!.entry, stop_loss: items[0]!.stop_loss });
    expect(data.market.EURUSD.state).toBe('open');
  });

  test('“Is the history complete enough for a backtest?” names every gap', async () => {
    // Simulated markets begin in 2000.
    const range = { from: '1999-12-01', to: '2000-04-01' };
    const { data } = await agent.call('get_coverage', { symbol: 'EURUSD', timeframe: '1d', ...range });
    const rest = await publisher.read<{ bars: number; absent: { bars: number; reason: string }[] }>(
      `/api/market/EURUSD/coverage?timeframe=1d&from=${range.from}&to=${range.to}`,
    );
    expect(data.bars).toBe(rest.bars);
    const missing = rest.absent.filter(({ reason }) => reason === 'before_history');
    expect(data.absent_bars.before_history).toBe(missing.reduce((sum, { bars }) => sum + bars, 0));
    expect(data.gaps).toEqual([{ symbol: 'EURUSD', bars: expect.any(Number), reason: 'see absent' }]);
    const { data: bars } = await agent.call('get_bars', { symbols: ['EURUSD'], ...range });
    expect(bars.gaps).toEqual([
      { symbol: 'EURUSD', from: '1999-12-01', to: '2000-01-01', bars: 31, reason: 'before_history' },
    ]);
    expect(bars).toMatchObject({ stale: false, as_of: '2000-04-01T00:00:00.000Z' });
  });
});

describe('bars of a given interval', () => {
  let agent: TestAgent;
  let reader: TestPublisher;
  beforeAll(async () => {
    // An account of their own: each has its allowance.
    reader = await TestPublisher.of(service, ['read']);
    agent = await TestAgent.overHttp(service.url, reader.issued.key);
  });
  afterAll(() => agent.close());
  const range = { from: '2025-01-01', to: '2025-12-31' };

  test('can be read to the first one, newest page first, and are those of REST', async () => {
    const rows: unknown[][] = [];
    let [cursor, pages]: [string | null, number] = [null, 0];
    do {
      const args = { symbols: ['EURUSD'], interval: '1d', ...range, ...(cursor && { cursor }) };
      const { data } = await agent.call('get_bars', args);
      expect('statistics' in data).toBe(cursor === null);
      rows.unshift(...data.rows);
      [cursor, pages] = [data.next, pages + 1];
    } while (cursor !== null);
    const { items } = await reader.read<BarsPage>(
      `/api/bars/EURUSD?interval=1d&from=${range.from}&to=${range.to}&limit=1000`,
    );
    expect(pages).toBeGreaterThan(2);
    expect(rows.map(([time, ...prices]) => [Date.parse(time as string), ...prices])).toEqual(
      items.map(({ time, open, high, low, close, volume }) => [Date.parse(time), open, high, low, close, volume]),
    );
  });

  test('may start their days at 17:00 in New York', async () => {
    const args = { symbols: ['EURUSD'], interval: '1d', align: 'ny', from: '2025-12-01', to: '2025-12-12' };
    const { data } = await agent.call('get_bars', args);
    const { items } = await reader.read<BarsPage>(
      '/api/bars/EURUSD?interval=1d&align=ny&from=2025-12-01&to=2025-12-12&limit=100',
    );
    expect(data.rows.map(([time, open]: [string, number]) => [Date.parse(time), open])).toEqual(
      items.map(({ time, open }) => [Date.parse(time), open]),
    );
    expect(data).toMatchObject({ align: 'ny', next: null });
  });

  test('of ten symbols fit as well, with all correlations', async () => {
    const { data: found } = await agent.call('find_instruments', { type: 'forex' });
    const symbols = found.items.slice(0, 10).map(({ symbol }: { symbol: string }) => symbol);
    const { data } = await agent.call('get_bars', { symbols, ...range });
    expect(Object.keys(data.statistics.correlation)).toHaveLength(45);
    expect(data.rows[0]).toHaveLength(11);
    expect(data).toMatchObject({ interval: '1M', next: null, as_of: '2025-12-31T00:00:00.000Z' });
    expect(data.rows).toHaveLength(12);
  });
});

describe('indicators', () => {
  const names = ['rsi(14)', 'macd(12,26,9)', 'bollinger', 'ema(200)', 'adx', 'ichimoku'];
  let agent: TestAgent;
  let reader: TestPublisher;
  beforeAll(async () => {
    // An account of their own: each has its allowance.
    reader = await TestPublisher.of(service, ['read']);
    agent = await TestAgent.overHttp(service.url, reader.issued.key);
  });
  afterAll(() => agent.close());

  test('have the values of REST, page by page', async () => {
    const args = { symbol: 'GBPUSD', indicators: names, interval: '4h', to: '2026-03-04', bars: 120 };
    const rest = await reader.read<IndicatorSet>(
      `/api/indicators/GBPUSD?indicators=${names.join(',')}&interval=4h&to=2026-03-04&limit=120`,
    );
    const { data, summary } = await agent.call('get_indicators', args);
    expect(data.columns.slice(0, 3)).toEqual(['time', 'rsi(14)', 'macd(12,26,9) macd']);
    expect(data).toMatchObject({ unsettled: {}, stale: false, as_of: '2026-03-04T00:00:00.000Z' });
    expect(summary).toContain('rsi(14)');
    const { data: older } = await agent.call('get_indicators', { ...args, cursor: data.next });
    const rows = [...older.rows, ...data.rows];
    const [rsi, macd] = rest.indicators;
    for (const [at, row] of rows.toReversed().entries()) {
      const item = rsi!.items.at(-1 - at)!;
      expect(Date.parse(row[0])).toBe(Date.parse(item.time));
      expect(row[1]).toBeCloseTo(item.value!, 4);
      expect(row[4]).toBeCloseTo(macd!.items.at(-1 - at)!.values!.histogram!, 6);
      if (at === rest.indicators[0]!.items.length - 1) break;
    }
    expect(rows.length).toBeGreaterThan(data.rows.length);
  });

  test('a wrong one gets the allowed values', async () => {
    const fails = (indicator: string) => agent.fails('get_indicators', { symbol: 'GBPUSD', indicators: [indicator] });
    expect(await fails('magic')).toContain('one of sma, ema, wma, vwap, rsi');
    expect(await fails('rsi(0)')).toContain('an integer between 1 and 1000');
    expect(await fails('rsi(14')).toContain('such as rsi(14), macd(12,26,9)');
  });
});

describe('volume at price', () => {
  const day = { from: '2026-03-04', to: '2026-03-04T23:59:00Z' };
  let agent: TestAgent;
  let reader: TestPublisher;
  beforeAll(async () => {
    // An account of their own: each has its allowance.
    reader = await TestPublisher.of(service, ['read']);
    agent = await TestAgent.overHttp(service.url, reader.issued.key);
  });
  afterAll(() => agent.close());

  test('a profile has the figures of REST, and its levels can be read to the last one', async () => {
    const rest = await reader.read<Profile>(`/api/profile/XAUUSD?from=${day.from}&to=${day.to}&level=0.1`);
    const rows: number[][] = [];
    let cursor: string | null = null;
    do {
      const { data } = await agent.call('get_order_flow', {
        symbol: 'XAUUSD',
        ...day,
        level: 0.1,
        ...(cursor && { cursor }),
      });
      expect(data).toMatchObject({
        volume: rest.volume,
        delta: rest.delta,
        poc: rest.poc,
        value_area: rest.value_area,
      });
      expect(data).toMatchObject({ stale: false, side_method: rest.side_method, levels_total: rest.levels.length });
      rows.push(...data.rows);
      cursor = data.next;
    } while (cursor !== null);
    expect(rows.length).toBeGreaterThan(150);
    expect(rows.toSorted((a, b) => a[0]! - b[0]!)).toEqual(
      rest.levels.map(({ price, buy, sell }) => [price, buy, sell]),
    );
  });

  test('a footprint shows the levels with most volume of each bar, and counts the others', async () => {
    const args = { symbol: 'EURUSD', view: 'footprint', interval: '1h', bars: 24, to: day.to };
    const { data } = await agent.call('get_order_flow', args);
    const { items } = await reader.read<FootprintPage>(`/api/footprint/EURUSD?interval=1h&limit=24&to=${day.to}`);
    expect(data.rows.length).toBeGreaterThan(5);
    for (const [time, volume, delta, levels, others] of data.rows) {
      const bar = items.find((each) => Date.parse(each.time) === Date.parse(time))!;
      expect([volume, delta, levels.length + others]).toEqual([bar.volume, bar.delta, bar.levels.length]);
      const most = Math.max(...bar.levels.map(({ buy, sell }) => buy + sell));
      expect(Math.max(...levels.map(([, buy, sell]: number[]) => buy! + sell!))).toBeCloseTo(most, 4);
    }
    const next = await agent.call('get_order_flow', { ...args, cursor: data.next });
    expect(Date.parse(next.data.rows.at(-1)[0])).toBe(Date.parse(data.rows[0][0]) - 60 * MINUTE);
    expect(data.age_ms).toBeGreaterThan(DAY_MS);
  });
});

test('the same questions cost as much as their calls of REST', async () => {
  const { key } = await service.key('premium');
  const agent = await TestAgent.overHttp(service.url, key);
  const used = async (): Promise<number> => {
    const response = await fetch(`${service.url}/api/usage`, { headers: { 'X-API-Key': key } });
    const { requests } = (await response.json()) as { requests: { limit: number; remaining: number } };
    return requests.limit - requests.remaining;
  };
  const before = await used();
  await agent.call('get_quotes', { symbols: ['EURUSD'] });
  // The POST itself, the instruments and the quotes; and the second look at the usage.
  expect((await used()) - before).toBe(4);
  await agent.close();
  await eventually('the usage is counted', async () => (await used()) > before);
});

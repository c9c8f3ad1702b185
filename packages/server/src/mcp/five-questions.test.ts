// Five questions that people ask an agent, over both transports: which calls answer them, what the answers contain, and that
// the numbers are those of REST.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { BarsPage, NewsDetail, SignalDetail } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { storeDailyBars } from '../../testing/daily-bars.fixture.ts';
import { TestAgent } from '../../testing/mcp.fixture.ts';
import { TestWire } from '../../testing/newswire.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { atMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { correlations, statisticsOf } from './statistics.ts';

const FIVE = { EURUSD: 1.1, GBPUSD: 1.3, XAUUSD: 3_900, BTCUSD: 70_000, US500: 6_900 };
const SYMBOLS = Object.keys(FIVE);
const HEADLINE = 'Gold jumps to a record high as investors seek safety from inflation';
const MINUTE = 60_000;

let service: RunningService;
let publisher: TestPublisher;
let closed: SignalDetail;
const from = Math.floor(Date.now() / DAY_MS) * DAY_MS - 730 * DAY_MS;
beforeAll(async () => {
  service = await startService({ ingest_lines_per_minute: '30000' });
  await storeDailyBars(service, FIVE, from);
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
  const { items } = await publisher.read<BarsPage>(`/api/bars/${symbol}?interval=1d&limit=10000`);
  return items.map((bar) => ({ ...bar, time: Date.parse(bar.time) })).filter(({ time }) => time >= from);
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
      expect(own.bars).toBeGreaterThan(650);
      expect(summary).toContain(symbol);
    }
    const expected = correlations(series);
    expect(Object.keys(data.statistics.correlation)).toEqual(Object.keys(expected));
    for (const [pair, value] of Object.entries(expected))
      expect(data.statistics.correlation[pair]).toBeCloseTo(value!, 1);
    expect(data).toMatchObject({ interval: '1M', next: null, source: 'simulated', last_bar: 'forming' });
    expect(data.statistics.interval).toBe('1d');
    expect(data.rows.length).toBeWithin(24, 26);
    expect(data.columns).toEqual(['time', ...SYMBOLS.map((symbol) => `${symbol} close`)]);
    // Closed months are exactly those of REST.
    const months = await publisher.read<BarsPage>('/api/bars/XAUUSD?interval=1M&limit=100');
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
    const before = new Date(from - 30 * DAY_MS).toISOString();
    const { data } = await agent.call('get_coverage', { symbol: 'EURUSD', timeframe: '1d', from: before });
    const rest = await publisher.read<{ bars: number; absent: { bars: number; reason: string }[] }>(
      `/api/market/EURUSD/coverage?timeframe=1d&from=${before}`,
    );
    expect(data.bars).toBe(rest.bars);
    const missing = rest.absent.filter(({ reason }) => reason === 'before_history');
    expect(data.absent_bars.before_history).toBe(missing.reduce((sum, { bars }) => sum + bars, 0));
    expect(data.gaps).toEqual([{ symbol: 'EURUSD', bars: expect.any(Number), reason: 'see absent' }]);
    const { data: bars } = await agent.call('get_bars', { symbols: ['EURUSD'], from: before });
    expect(bars.gaps[0]).toMatchObject({ symbol: 'EURUSD', reason: 'before_history' });
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

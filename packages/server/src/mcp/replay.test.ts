// Tools in a replay: an agent creates a session, moves its clock and reads as of it.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { iso } from '@tickwire/contract';
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { TestAgent } from '../../testing/mcp.fixture.ts';
import { EURUSD, knownAt, randomPast, record } from '../../testing/replay/recorded-day.fixture.ts';
import { newsKnownAt, randomDocuments, recordDocuments } from '../../testing/replay/recorded-documents.fixture.ts';
import { folderOfBusyAccounts, type RunningService, startService } from '../../testing/service.fixture.ts';

const FROM = Date.UTC(2026, 2, 4, 12);
const TO = FROM + HOUR_MS;
const CLOCK = FROM + 30 * MINUTE_MS + 12_345;

const folder = folderOfBusyAccounts(100_000);
const past = randomPast(FROM, TO, 41);
const documents = randomDocuments(FROM, TO, 42);
let service: RunningService;
let agent: TestAgent;
beforeAll(async () => {
  await record(folder, past);
  await recordDocuments(folder, documents);
  service = await startService({ data: folder, feeds: 'push' });
  agent = await TestAgent.overHttp(service.url, (await service.key('free')).key);
});
afterAll(async () => {
  await agent.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('creates, lists, moves, reads and ends a session', async () => {
  const symbols = ['eurusd', 'BTCUSD'];
  const { data: created } = await agent.call('replay_market', { symbols, from: iso(FROM), to: iso(TO) });
  const [{ id }] = created.items;
  expect(created).toMatchObject({
    gaps: [],
    items: [{ id, state: 'paused', symbols: ['EURUSD', 'BTCUSD'], clock: iso(FROM) }],
  });
  expect((await agent.call('replay_market')).data.items).toEqual(created.items);
  const { summary } = await agent.call('replay_market', { id, seek: iso(CLOCK) });
  expect(summary).toContain(iso(CLOCK));

  const replay = id;
  const { data: quotes } = await agent.call('get_quotes', { symbols, replay });
  const last = past.ticks.findLast(({ tick, arrival }) => tick.symbol === EURUSD && arrival <= CLOCK)!.tick;
  expect(quotes.items[0]).toMatchObject({ symbol: 'EURUSD', time: iso(last.time), age_ms: CLOCK - last.time });
  expect(quotes.source).toBe('replay of feeds');
  const { data: bars } = await agent.call('get_bars', { symbols: ['EURUSD'], interval: '1m', from: iso(FROM), replay });
  const known = [...(await knownAt(past, CLOCK)).minutes].filter(([name]) => name.startsWith('EURUSD'));
  expect(bars.rows).toHaveLength(known.length);
  expect(bars.rows.at(-1)[4]).toBe(known.at(-1)![1].close);
  const { data: news } = await agent.call('get_news', { replay, max_tokens: 20_000 });
  expect(news.items.map(({ headline }: { headline: string }) => headline)).toEqual(
    newsKnownAt(documents, CLOCK).map(({ title }) => title),
  );
  for (const [tool, args] of [
    ['get_indicators', { symbol: 'BTCUSD', interval: '1m', indicators: ['rsi(3)'] }],
    ['get_order_flow', { symbol: 'BTCUSD', view: 'profile' }],
    ['get_coverage', { symbol: 'EURUSD', timeframe: '1m' }],
    ['get_news', { calendar: true }],
    ['find_instruments', {}],
  ] as const) {
    const { data } = await agent.call(tool, { ...args, replay });
    expect(data.source).toBe('replay of feeds');
    if (data.as_of !== null) expect(Date.parse(data.as_of)).toBeLessThanOrEqual(CLOCK);
  }

  expect((await agent.call('replay_market', { id, step: 'bar' })).data.items[0].clock).toBe(iso(FROM + 31 * MINUTE_MS));
  await agent.call('replay_market', { id, end: true });
  expect(await agent.fails('get_quotes', { symbols, replay })).toContain('replay_not_found');
});

test('refuses arguments that do not go together, and a replay of what has no past', async () => {
  expect(await agent.fails('replay_market', { step: 'bar' })).toContain('id must be given');
  expect(await agent.fails('replay_market', { symbols: ['EURUSD'] })).toContain('symbols and from must be given');
  expect(await agent.fails('replay_market', { id: 'rpl_1', from: iso(FROM) })).toContain('id must be given with seek');
  expect(await agent.fails('get_signals', { replay: 'rpl_1' })).toContain('replay');
});

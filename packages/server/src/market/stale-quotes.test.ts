// Quotes that are missing or old: what the market endpoints return, and why a publication against them is refused.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem, SymbolQuote } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { runTickwire } from '../../testing/process.fixture.ts';
import { BUY, EURO, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';

let data: string;
let service: RunningService;
let publisher: TestPublisher;
beforeEach(() => {
  data = temporaryFolder();
});
afterEach(async () => {
  await service.stop();
  rmSync(data, { recursive: true, force: true });
});

async function start(): Promise<void> {
  service = await startService({ feeds: 'push', data });
  publisher = await TestPublisher.of(service);
}

/** Status, header and body. */
async function read(path: string): Promise<[number, string | null, Record<string, unknown>]> {
  const response = await publisher.get(path);
  return [response.status, response.headers.get('quote-age'), (await response.json()) as Record<string, unknown>];
}

const refusal = async (): Promise<Problem> => (await (await publisher.publish(BUY)).json()) as Problem;
const QUOTE = '/api/market/EURUSD/quote';

test('without a quote, the quote is missing and nothing can be published', async () => {
  await start();
  const [status, age, problem] = await read(QUOTE);
  expect([status, age, problem.code]).toEqual([503, null, 'no_quote']);
  expect(await refusal()).toMatchObject({ status: 503, code: 'no_quote', detail: problem.detail as string });
  expect((await read('/api/market/EURUSD'))[2]).toMatchObject({ ohlcv: [], quote: null });
  expect((await read('/api/quotes?symbols=EURUSD'))[2]).toEqual({ items: [], count: 0 });
});

describe('a quote of the store', () => {
  const time = Date.now() - 700 * DAY_MS;

  test('that was imported is served as stale until the next quote, and refused for publishing as stale', async () => {
    const file = join(data, 'old.csv');
    writeFileSync(file, `time,bid,ask\n${new Date(time).toISOString()},1.08,1.0802\n`);
    expect(await runTickwire(['import', file, '--symbol', 'EURUSD'], { data, feeds: 'push' })).toMatchObject({
      status: 0,
    });
    await start();
    const plain = await read(QUOTE);
    expect(plain).toEqual([200, expect.stringMatching(/^\d+$/), expect.any(Object)]);
    const seconds = Math.floor((Date.now() - time) / 1_000);
    expect(Number(plain[1])).toBeWithin(seconds - 60, seconds + 1);
    expect(Object.keys(plain[2])).toEqual(['symbol', 'bid', 'ask', 'spread', 'timestamp']);
    expect((await read(`${QUOTE}?detail=true`))[2]).toEqual({ ...plain[2], stale: true });
    const [, age, { items }] = await read('/api/quotes?symbols=EURUSD&detail=true');
    expect([Number(age) >= Number(plain[1]), items]).toEqual([true, [{ ...plain[2], stale: true }]]);
    const [, marketAge, market] = await read('/api/market/EURUSD?timeframe=1m');
    expect([Number(marketAge) >= Number(plain[1]), market.quote]).toEqual([
      true,
      { bid: 1.08, ask: 1.0802, spread: 0.0002, timestamp: plain[2].timestamp },
    ]);
    for (const query of ['', '&before=2099-01-01T00:00:00Z'])
      expect((await read(`/api/market/EURUSD?detail=true${query}`))[2]).toMatchObject({ quote: { stale: true } });
    const { status, code, detail } = await refusal();
    expect([status, code]).toEqual([503, 'stale_quote']);
    expect(detail).toMatch(/^The last quote for EURUSD is stale: it is \d+ s old, and none has followed\.$/);

    const feed = await TestMarket.of(service);
    await feed.quote(...EURO);
    const fresh = await read(`${QUOTE}?detail=true`);
    expect([fresh[1], fresh[2].stale]).toEqual([null, false]);
    expect((await read('/api/market/EURUSD?detail=true'))[2]).toMatchObject({ quote: { stale: false } });
    await publisher.published(BUY);
  });

  test('of the previous run is stale until the next one, even if it is a second old', async () => {
    await start();
    const feed = await TestMarket.of(service);
    await feed.quote(...EURO);
    const { issued } = publisher;
    expect((await read(QUOTE))[1]).toBeNull();
    await service.stop();
    await start();
    publisher = new TestPublisher(service, issued);
    const [status, age, quote] = await read(QUOTE);
    expect([status, (quote as SymbolQuote).bid]).toEqual([200, EURO[1]]);
    expect(Number(age)).toBeWithin(0, 60);
    expect(await refusal()).toMatchObject({ status: 503, code: 'stale_quote' });
  });
});

test('the tag of a detailed market response changes when the quote turns fresh', async () => {
  const tagOf = async (): Promise<string> =>
    (await publisher.get('/api/market/EURUSD?detail=true')).headers.get('etag')!;
  await start();
  const feed = await TestMarket.of(service);
  await feed.quote(...EURO);
  await service.stop();
  await start();
  const before = await tagOf();
  await (await TestMarket.of(service)).quote(...EURO);
  expect(await tagOf()).not.toBe(before);
});

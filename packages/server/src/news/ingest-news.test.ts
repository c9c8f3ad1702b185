// Pushed news, from the socket to the feed.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { MAX_LISTED_REJECTIONS, SENTIMENTS } from '@tickwire/contract';
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { TestWire } from '../../testing/newswire.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { isData, StreamClient } from '../../testing/stream-client.fixture.ts';

let service: RunningService;
let wire: TestWire;
beforeAll(async () => {
  service = await startService({ feeds: 'push', ingest_lines_per_minute: '30000' });
  wire = await TestWire.of(service);
});
afterAll(() => service.stop());

const DOCS_PAGE = async (): Promise<string> => (await fetch(`${service.url}/docs`)).text();

describe('POST /ingest/news', () => {
  test('items appear in the feed, scored, categorised and linked to instruments', async () => {
    const before = Date.now();
    const response = await wire.send(
      { title: 'Gold jumps to a record high as investors seek safety', url: 'https://example.org/gold', id: 'g-1' },
      { title: 'Bitcoin plunges after an exchange is hacked', source: 'Desk B', time: before - MINUTE_MS },
    );
    expect(response).toEqual({ accepted: 2, rejected: [], rejected_count: 0 });
    const gold = await wire.shows('Gold jumps to a record high as investors seek safety');
    const bitcoin = await wire.shows('Bitcoin plunges after an exchange is hacked');
    expect(gold).toMatchObject({
      category: 'gold',
      sentiment: 'bullish',
      url: 'https://example.org/gold',
      source: wire.issued.account.name,
      symbols: ['XAUUSD'],
      cluster: 1,
      revision: 0,
      model: expect.stringMatching(/^headline-/),
    });
    expect(bitcoin).toMatchObject({ category: 'crypto', sentiment: 'bearish', url: null, source: 'Desk B' });
    expect(bitcoin.symbols).toContain('BTCUSD');
    expect(Date.parse(bitcoin.timestamp)).toBe(before - MINUTE_MS);
    expect(Date.parse(gold.timestamp)).toBeWithin(before, Date.now() + 1);
    for (const { sentiment, sentiment_score } of [gold, bitcoin]) {
      expect(SENTIMENTS).toContain(sentiment);
      expect(Math.abs(sentiment_score)).toBeWithin(0, 1.0001);
    }
  });

  test('an invalid line does not affect valid ones, and each is reported', async () => {
    const title = 'Euro rises against the dollar after the ECB decision';
    const { accepted, rejected, rejected_count } = await wire.send(
      { title },
      'garbage',
      '"a text"',
      '[]',
      { title: '   ' },
      {},
      { title, category: 'sports' as never },
      { title, url: 'javascript:alert(1)' },
      { title, time: 'yesterday' },
      '',
      { title, time: Date.now() + HOUR_MS },
      { title, source: '<b></b>\u202e' },
      { title, source: 'Simulated Wire' },
      { title: 'x'.repeat(1_001) },
      { title: 'Sterling slips as UK growth stalls', time: '2026-03-02T11:10:00+02:00' },
    );
    expect([accepted, rejected_count]).toEqual([2, 12]);
    expect(rejected.map(({ line, code }) => [line, code])).toEqual([
      [2, 'malformed_json'],
      [3, 'malformed_line'],
      [4, 'malformed_line'],
      [5, 'malformed_line'],
      [6, 'malformed_line'],
      [7, 'malformed_line'],
      [8, 'malformed_line'],
      [9, 'bad_time'],
      [11, 'future_time'],
      [12, 'malformed_line'],
      [13, 'reserved_source'],
      [14, 'malformed_line'],
    ]);
    for (const { detail } of rejected) expect(detail).toMatch(/^[\w ]+(: .+)?/);
    await wire.shows(title);
  });

  test('the response lists the first thousand rejected lines and counts all', async () => {
    const { rejected, rejected_count } = await wire.send(...Array(1_500).fill('x'));
    expect([rejected.length, rejected_count]).toEqual([MAX_LISTED_REJECTIONS, 1_500]);
  });

  test('the same id with another title is a revision; duplicates from others increase the cluster', async () => {
    const first = { id: 'rev-1', title: 'Oil climbs 1% as OPEC cuts output' };
    await wire.send(first);
    const { id } = await wire.shows(first.title);
    await wire.send({ ...first, title: 'Oil climbs 3% as OPEC cuts output' });
    const revised = await wire.shows('Oil climbs 3% as OPEC cuts output');
    expect(revised).toMatchObject({ id, revision: 1 });
    expect(await wire.titles()).not.toContain(first.title);
    await wire.send({ title: 'Oil climbs 3% as OPEC cuts output', source: 'Desk C' });
    await wire.send({ title: 'Oil climbs 3% as OPEC cuts output', source: 'Desk D' });
    for (let tries = 0; tries < 6_000 && (await wire.shows(revised.title)).cluster < 3; tries++) await Bun.sleep(10);
    expect(await wire.shows(revised.title)).toMatchObject({ id, cluster: 3, source: revised.source });
    expect((await wire.titles()).filter((title) => title === revised.title)).toHaveLength(1);
  });

  test('off-topic and old items are accepted but left out, and the operator sees the counts', async () => {
    const admin = await TestWire.of(service, ['admin']);
    const leftOut = async (): Promise<Record<string, number>> =>
      ((await (await admin.get('/api/news/sources')).json()) as { left_out: Record<string, number> }).left_out;
    const before = await leftOut();
    const { accepted } = await wire.send(
      { title: 'Local bakery wins the prize for the best rye bread' },
      { title: 'Gold rises on Tuesday of another year', time: '2025-01-07T10:00:00Z' },
    );
    expect(accepted).toBe(2);
    let after = before;
    for (let tries = 0; tries < 100 && after.too_old === before.too_old; tries++) after = await leftOut();
    expect([after.off_topic! - before.off_topic!, after.too_old! - before.too_old!]).toEqual([1, 1]);
    expect((await wire.titles()).join('\n')).not.toMatch(/bakery|another year/);
  });

  test('accepts gzip; a repeated batch, also in parallel, is processed once', async () => {
    const title = 'Swiss franc gains as traders turn cautious';
    const lines = [{ title }, { title: 'Nikkei slips while the yen firms' }].map((line) => JSON.stringify(line));
    const body = Bun.gzipSync(Buffer.from(lines.join('\n')));
    const send = (): Promise<Response> => wire.post(body, { 'Content-Encoding': 'gzip', 'Idempotency-Key': 'news 1' });
    const responses = await Promise.all([send(), send()]);
    for (const response of [...responses, await send()])
      expect(await wire.answerOf(response)).toEqual({ accepted: 2, rejected: [], rejected_count: 0 });
    expect((await wire.shows(title)).cluster).toBe(1);
    const conflict = await wire.post('{"title":"Gold"}', { 'Idempotency-Key': 'news 1' });
    expect([conflict.status, ((await conflict.json()) as { code: string }).code]).toEqual([
      409,
      'idempotency_conflict',
    ]);
  });

  test('the same key and lines at another endpoint are a different request', async () => {
    const headers = { 'Idempotency-Key': 'both', 'X-API-Key': wire.issued.key };
    const ticks = await fetch(`${service.url}/ingest/ticks`, { method: 'POST', body: '{}', headers });
    expect(ticks.status).toBe(200);
    expect((await wire.post('{}', { 'Idempotency-Key': 'both' })).status).toBe(409);
  });

  test('rejects unreadable bodies as a whole', async () => {
    const status = async (body: BodyInit, headers = {}): Promise<number> => (await wire.post(body, headers)).status;
    expect(await status(new Uint8Array([0xff, 0xfe, 0xfd]))).toBe(400);
    expect(await status('{}', { 'Content-Encoding': 'br' })).toBe(415);
    expect(await status('no gzip', { 'Content-Encoding': 'gzip' })).toBe(400);
    const bomb = Bun.gzipSync(new Uint8Array(65 * 1024 * 1024));
    expect(await status(bomb, { 'Content-Encoding': 'gzip' })).toBe(413);
    expect(await status('')).toBe(200);
  });

  test('the allowance counts lines, not requests, and applies to a batch as a whole', async () => {
    const other = await TestWire.of(service, ['ingest'], 'free');
    for (let count = 0; count < 70; count++) expect((await other.post('{}')).status).toBe(200);
    const refused = await other.post('{}\n'.repeat(29_931));
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 62);
    expect((await other.answerOf(await other.post('{}'))).rejected_count).toBe(1);
  });

  test('rejects a key without the scope, and GET', async () => {
    const reader = await TestWire.of(service, ['read', 'publish', 'admin']);
    expect((await reader.post('{}')).status).toBe(403);
    const response = await wire.get('/ingest/news');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  test('an operator may add items to simulated headlines under their own source name', async () => {
    const sim = await startService({ news: 'sim' });
    const added = await TestWire.of(sim);
    await added.send({ title: 'Gold rises on haven demand', source: 'Our desk' });
    await added.shows('Gold rises on haven demand');
    expect((await added.items()).find(({ title }) => title.startsWith('Gold rises on'))!.source).toBe('Our desk');
    await sim.stop();
  });
});

describe('hostile text', () => {
  const HOSTILE = [
    '<script>alert(1)</script>Gold is bought by a central bank',
    '<img src=x onerror=alert(1)>Silver mine closes its gates',
    '&lt;script&gt;alert(1)&lt;/script&gt;Bitcoin exchange opens in Paris',
    '&amp;lt;b onload=alert(1)&amp;gt;Dollar index little changed at noon',
    'Inflation \u202egnisir\u202c forecast for July \u2066x\u2069\u200b\ufeff',
    'Oil\u0000 \u001b[31mtankers\u0007 wait off Rotterdam \u009b',
    "\"><script>alert(1)</script>Yen traders watch the 'lower' house",
    'Fed minutes due\r\nX-Injected: 1\u2028\u2029',
    'Euro area unemployment \ud800 falls \udfff slightly \uffff',
    `Ether staking ${'\u0301'.repeat(900)} doubles`,
    '{{constructor.constructor("alert(1)")()}} Sterling options expire $\u007balert(1)}',
  ];
  /** What could harm a careless client: tags, references, quotes that end attributes, invisible characters. */
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  const HARM = /[<>"'\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\uffff]|&\w+;/;

  test('is delivered as plain text in the feed, on the stream and in briefs, and does not reach the pages', async () => {
    const page = await DOCS_PAGE();
    const stream = await StreamClient.open(`${service.wsUrl}/ws/news`, wire.issued.key);
    await stream.ask({ action: 'subscribe', seq: true });
    const lines = HOSTILE.map((title, index) => ({
      title,
      source: `Desk ${title}`.slice(0, 100),
      id: title.slice(0, 200),
      url: `https://example.org/h/${index}?q="><script>'`,
    }));
    const { accepted } = await wire.send(...lines);
    expect(accepted).toBe(HOSTILE.length);
    const sent = await stream.take(accepted, isData);
    stream.close();
    const shown = (await wire.items()).filter(({ url }) => url?.startsWith('https://example.org/h/'));
    expect(shown).toHaveLength(HOSTILE.length);
    for (const text of [...shown, ...sent].flatMap(({ title, source, url }) => [title, source, url]).map(String)) {
      expect([text, HARM.test(text)]).toEqual([text, false]);
      expect([...text].length).toBeLessThanOrEqual(2_000);
    }
    for (const { title } of shown) expect(title).toMatch(/^[^\p{M}]*(\p{M}{0,3}[^\p{M}]+)*\p{M}{0,3}$/u);
    const brief = (await (await wire.get('/api/ai/brief/XAUUSD')).json()) as { text: string };
    expect(HARM.test(brief.text)).toBe(false);
    expect(await DOCS_PAGE()).toBe(page);
  });

  test('a title of 10 MB is rejected by its line, and the lines around it are accepted', async () => {
    const { accepted, rejected } = await wire.send(
      { title: 'Gold is calm before the storm of letters' },
      { title: `Gold ${'rises '.repeat(1_700_000)}` },
      { title: 'Gold is calm after the storm of letters', summary: 'x'.repeat(9_000) },
    );
    expect([accepted, rejected.map(({ line, code }) => [line, code])]).toEqual([2, [[2, 'malformed_line']]]);
    expect(JSON.stringify(rejected).length).toBeLessThan(300);
    await wire.shows('Gold is calm after the storm of letters');
  });

  test('the longest accepted title is cut at a word boundary', async () => {
    await wire.send({ title: `Gold ${'shines '.repeat(142)}`.slice(0, 1_000) });
    let long: string | undefined;
    for (let tries = 0; tries < 6_000 && !long; tries++) {
      long = (await wire.titles()).find((title) => title.startsWith('Gold shines'));
      await Bun.sleep(10);
    }
    expect([...long!].length).toBeLessThanOrEqual(300);
    expect(long).toEndWith('shines…');
  });
});

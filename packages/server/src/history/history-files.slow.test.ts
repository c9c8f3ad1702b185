// Bars and ticks as files of a running service: all formats, parts, conditions, limits and bad input.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BarsPage, BarsPages, type Problem, type TicksPage } from '@tickwire/contract';
import { asyncBufferFromUrl, cachedAsyncBuffer, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { eventually } from '../../testing/process.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';

const DAY = Date.UTC(2026, 10, 3);
const RANGE = `from=${DAY}&to=${DAY + 2 * 86_400_000 - 1}`;
const PATH = `/api/bars/EURUSD?interval=1m&${RANGE}`;
const TIER = { requests_per_minute: 10_000, streams: 1, ai_calls_per_day: 0 };

let service: RunningService;
let key: string;
beforeAll(async () => {
  const data = temporaryFolder();
  const tiers = { desk: TIER, small: { ...TIER, export_rows_per_day: 4_000 } };
  writeFileSync(join(data, 'tickwire.json'), JSON.stringify({ tiers }));
  service = await startService({ data, sim_rate: '50' });
  key = (await service.key('desk')).key;
});
afterAll(() => service.stop());

const call = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  fetch(service.url + path, { method, headers: { 'X-API-Key': key, ...headers } });
const json = async <T>(path: string): Promise<T> => (await call(path)).json() as Promise<T>;

async function allItems(path: string): Promise<BarsPage['items']> {
  const items: BarsPage['items'] = [];
  for (let page = await json<BarsPage>(`${path}&limit=1000`); ; ) {
    items.push(...page.items);
    if (page.next === null) return items;
    page = await json<BarsPage>(`${path}&limit=1000&cursor=${page.next}`);
  }
}

const csvRows = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));

async function parquetRows(response: Response): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({ file: await response.arrayBuffer() });
}

describe('bars', () => {
  test.each([
    ['1m', 'utc'],
    ['7m', 'utc'],
    ['4h', 'ny'],
    ['1d', 'Europe/London'],
  ])('of %s (%s) are the same in every format', async (interval, align) => {
    const path = `/api/bars/EURUSD?interval=${interval}&align=${align}&${RANGE}&fields=buy_volume,delta,source,vwap`;
    const expected = await allItems(path);
    expect(expected.length).toBeGreaterThan(0);
    const lines = (await (await call(`${path}&format=ndjson`)).text()).trimEnd().split('\n');
    expect(lines).toEqual(expected.map((item) => JSON.stringify(item)));
    const [head, ...rows] = csvRows(await (await call(path, { Accept: 'text/csv' })).text());
    expect(head).toEqual(Object.keys(expected[0]!));
    expect(rows).toEqual(expected.map((item) => Object.values(item).map((value) => `${value ?? ''}`)));
    const objects = await parquetRows(await call(`${path}&format=parquet`));
    expect(objects).toEqual(expected.map(({ time, ...rest }) => ({ time: new Date(time), ...rest })));
    expect(expected[0]).toMatchObject({ source: 'simulated', vwap: expect.any(Number) });
  });

  test('of several instruments are pages in JSON, and rows with a symbol in files', async () => {
    const path = `/api/bars?symbols=xauusd,EURUSD&interval=1h&${RANGE}`;
    const response = await call(`${path}&limit=3`);
    const { items, count } = BarsPages.parse(await response.json());
    expect([count, items.map(({ symbol }) => symbol)]).toEqual([2, ['XAUUSD', 'EURUSD']]);
    expect(items[1]).toEqual(await json(`/api/bars/EURUSD?interval=1h&${RANGE}&limit=3`));
    expect(response.headers.get('link')!.match(/rel="next"; title="XAUUSD"/g)).toHaveLength(1);
    const [head, ...rows] = csvRows(await (await call(`${path}&format=csv`)).text());
    expect(head!.slice(0, 2)).toEqual(['symbol', 'time']);
    expect(rows.map(([symbol]) => symbol)).toEqual([...Array(48).fill('XAUUSD'), ...Array(48).fill('EURUSD')]);
    for (const [bad, parameter] of [
      ['/api/bars', 'symbols'],
      ['/api/bars?symbols=', 'symbols'],
      ['/api/bars?symbols=EURUSD,XAUUSD&limit=5001', 'limit'],
    ] as const)
      expect((await json<Problem>(bad)).errors![0]!.parameter).toBe(parameter);
    expect((await call('/api/bars?symbols=EURUSD,NOPE')).status).toBe(404);
  });

  test('the header Link leads to the next page', async () => {
    const first = await call(`${PATH}&limit=2`);
    const [, target] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link')!)!;
    const second = (await (await call(target!)).json()) as BarsPage;
    expect(second.items.map(({ time }) => time)).toEqual(['2026-11-03T00:02:00.000Z', '2026-11-03T00:03:00.000Z']);
    expect((await call(`/api/bars/EURUSD?interval=1d&${RANGE}`)).headers.has('link')).toBe(false);
    expect(first.headers.get('stream-seq')).toMatch(/^\d+$/);
  });

  test('a file has metadata, and the size that HEAD reports', async () => {
    const path = `${PATH}&format=parquet`;
    const head = await call(path, {}, 'HEAD');
    expect(head.status).toBe(200);
    const get = await call(path);
    const bytes = await get.arrayBuffer();
    expect(head.headers.get('content-length')).toBe(`${bytes.byteLength}`);
    for (const name of ['etag', 'content-type', 'export-rows', 'accept-ranges', 'content-disposition', 'export-gaps'])
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    expect(get.headers.get('content-type')).toBe('application/vnd.apache.parquet');
    expect(get.headers.has('content-range')).toBe(false);
    expect(get.headers.get('export-rows')).toBe('2880');
    expect(get.headers.get('export-gaps')).toBe('0');
    const { key_value_metadata } = await parquetMetadataAsync({
      byteLength: bytes.byteLength,
      slice: (start, end) => bytes.slice(start, end),
    });
    expect(Object.fromEntries(key_value_metadata!.map(({ key, value }) => [key, value]))).toEqual({
      symbol: 'EURUSD',
      interval: '1m',
      align: 'utc',
      source: 'simulated',
      retention: 'unlimited',
      rows: '2880',
      gap_count: '0',
      gaps: '[]',
    });
  });

  test('a range reader reads the file part by part', async () => {
    const url = `${service.url}${PATH}&format=parquet`;
    const requestInit = { headers: { 'X-API-Key': key } };
    const file = cachedAsyncBuffer(await asyncBufferFromUrl({ url, requestInit }));
    const rows = await parquetReadObjects({ file, rowStart: 100, rowEnd: 103 });
    const { items } = await json<BarsPage>(`${PATH}&limit=103`);
    expect(rows).toEqual(items.slice(100).map(({ time, ...rest }) => ({ time: new Date(time), ...rest })));
  });

  test('a file of a range that goes on keeps its bytes for readers of parts', async () => {
    const path = '/api/bars/BTCUSD?interval=1m&limit=100&format=csv';
    const head = await call(path, {}, 'HEAD');
    const etag = head.headers.get('etag')!;
    const size = Number(head.headers.get('content-length'));
    await Bun.sleep(1_500);
    const middle = Math.floor(size / 2);
    const parts = [
      await call(path, { Range: `bytes=0-${middle - 1}` }),
      await call(path, { Range: `bytes=${middle}-` }),
    ];
    expect(parts.map(({ status, headers }) => [status, headers.get('etag')])).toEqual([
      [206, etag],
      [206, etag],
    ]);
    const text = (await Promise.all(parts.map((part) => part.text()))).join('');
    expect(text).toHaveLength(size);
    expect(csvRows(text)).toHaveLength(101);
  });
});

describe('parts and conditions', () => {
  const path = `${PATH}&format=csv`;
  let text: string;
  let etag: string;
  beforeAll(async () => {
    const response = await call(path);
    etag = response.headers.get('etag')!;
    text = await response.text();
  });

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=10-', 10, undefined],
    ['bytes=-7', -7, undefined],
    ['bytes=5-99999999999', 5, undefined],
    ['BYTES = 3-4', 3, 5],
  ])('Range: %s', async (range, start, end) => {
    const response = await call(path, { Range: range });
    expect(response.status).toBe(206);
    const part = text.slice(start, end);
    const first = start < 0 ? text.length + start : start;
    expect(response.headers.get('content-range')).toBe(`bytes ${first}-${first + part.length - 1}/${text.length}`);
    expect(await response.text()).toBe(part);
  });

  test.each(['bytes=9-3', 'bytes=', 'bytes=-', 'bytes=a-b', 'items=0-1', 'bytes=0-1,5-6', 'bytes=0x1-2', '1-2', ''])(
    'Range: %s is ignored',
    async (range) => {
      const response = await call(path, { Range: range });
      expect([response.status, response.headers.get('content-range')]).toEqual([200, null]);
      expect(await response.text()).toBe(text);
    },
  );

  test.each([`bytes=999999999-`, 'bytes=-0'])('Range: %s is not satisfiable', async (range) => {
    const response = await call(path, { Range: range });
    expect([response.status, response.headers.get('content-range')]).toEqual([416, `bytes */${text.length}`]);
    expect(((await response.json()) as Problem).code).toBe('range_not_satisfiable');
  });

  test('If-Range sends the whole file if it has changed', async () => {
    const range = { Range: 'bytes=0-3' };
    expect((await call(path, { ...range, 'If-Range': etag })).status).toBe(206);
    for (const other of ['"other"', `W/${etag}`, 'Mon, 16 Nov 2026 00:00:00 GMT'])
      expect((await call(path, { ...range, 'If-Range': other })).status).toBe(200);
  });

  test('If-None-Match and If-Match', async () => {
    const same = await call(path, { 'If-None-Match': etag });
    expect([same.status, await same.text()]).toEqual([304, '']);
    expect((await call(path, { 'If-None-Match': etag }, 'HEAD')).status).toBe(304);
    expect((await call(path, { 'If-Match': etag })).status).toBe(200);
    const changed = await call(path, { 'If-Match': '"other"' });
    expect([changed.status, ((await changed.json()) as Problem).code]).toEqual([412, 'precondition_failed']);
  });

  test('HEAD ignores Range', async () => {
    const response = await call(path, { Range: 'bytes=0-3' }, 'HEAD');
    expect([response.status, response.headers.get('content-length')]).toEqual([200, `${text.length}`]);
  });
});

describe('the format', () => {
  test.each([
    ['*/*', 'application/json'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
    ['text/csv', 'text/csv'],
    ['text/*', 'text/csv'],
    ['application/json;q=0.5, text/csv;q=0.6', 'text/csv'],
    ['application/json, text/csv', 'application/json'],
    ['application/json;q=0, application/x-ndjson;q=0.1', 'application/x-ndjson'],
    ['application/vnd.apache.parquet', 'application/vnd.apache.parquet'],
    ['image/png', 'application/json'],
    [';;q=x,,', 'application/json'],
  ])('of Accept: %s is %s', async (accept, type) => {
    const response = await call(`${PATH}&limit=1`, { Accept: accept });
    expect(response.headers.get('content-type')).toStartWith(type);
    await response.arrayBuffer();
  });

  test('of the parameter comes first', async () => {
    const response = await call(`${PATH}&limit=1&format=json`, { Accept: 'text/csv' });
    expect(response.headers.get('content-type')).toStartWith('application/json');
  });

  test.each([
    ['bars/EURUSD?format=xml', 'format'],
    ['bars/EURUSD?format=', 'format'],
    ['bars/EURUSD?fields=pips', 'fields'],
    ['bars/EURUSD?interval=0m&format=csv', 'interval'],
    ['bars/EURUSD?align=Mars/Phobos&format=csv', 'align'],
    ['bars/EURUSD?cursor=f1.2&format=csv', 'cursor'],
    ['bars/EURUSD?from=2026-01-02&to=2026-01-01', 'from'],
    ['bars/EURUSD?from=2026-01-02&to=2026-01-01&format=parquet', 'from'],
    ['ticks/EURUSD?kind=both', 'kind'],
    ['ticks/EURUSD?cursor=f1', 'cursor'],
    ['ticks/EURUSD?limit=0', 'limit'],
    ['ticks/EURUSD?from=2&to=1', 'from'],
  ])('and bad input: %s', async (path, parameter) => {
    const response = await call(`/api/${path}`);
    const { code, errors } = (await response.json()) as Problem;
    expect([response.status, code, errors![0]!.parameter]).toEqual([400, 'invalid_parameter', parameter]);
    expect(errors![0]!.allowed).not.toBe('');
  });

  test('of an unknown symbol is a 404', async () => {
    expect((await call('/api/bars/NOPE?format=parquet')).status).toBe(404);
    expect((await call('/api/ticks/NOPE?format=parquet')).status).toBe(404);
  });
});

describe('ticks', () => {
  test.each(['quotes', 'trades'])('%s: pages in both directions and files agree', async (kind) => {
    await eventually('the tape has ticks', async () => {
      const { items } = await json<TicksPage>(`/api/ticks/BTCUSD?kind=${kind}&limit=30`);
      return items.length === 30;
    });
    const to = Date.now() - 500;
    const path = `/api/ticks/BTCUSD?kind=${kind}&to=${to}&fields=seq,source`;
    const newest = await json<TicksPage>(`${path}&limit=30`);
    const seqs = newest.items.map(({ seq }) => seq!);
    expect(seqs).toEqual([...new Set(seqs)]);
    const from = Date.parse(newest.items[0]!.time);
    const range = `${path}&from=${from}`;
    const whole = await json<TicksPage>(`${range}&limit=1000`);
    expect(whole.items.slice(-30)).toEqual(newest.items);
    const paged: unknown[] = [];
    for (let page = await json<TicksPage>(`${range}&limit=7`); ; ) {
      paged.push(...page.items);
      if (page.next === null) break;
      page = await json<TicksPage>(`${range}&limit=7&cursor=${page.next}`);
    }
    expect(paged).toEqual(whole.items);
    const back: unknown[] = [];
    let older = await json<TicksPage>(`${path}&limit=9`);
    while (back.length < 27) {
      back.unshift(...older.items);
      older = await json<TicksPage>(`${path}&limit=9&cursor=${older.next}`);
    }
    expect(back).toEqual(newest.items.slice(-27));
    const response = await call(`${range}&format=ndjson`);
    expect((await response.text()).trimEnd().split('\n')).toEqual(whole.items.map((item) => JSON.stringify(item)));
    expect(response.headers.get('tape-retention-days')).toBe('14');
    expect(response.headers.get('tape-start')).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
    const rows = await parquetRows(await call(`${range}&format=parquet`));
    expect(rows.map(({ seq }) => Number(seq))).toEqual(whole.items.map(({ seq }) => seq!));
    expect(csvRows(await (await call(`${path}&limit=5&format=csv`)).text())).toHaveLength(6);
  });
});

test('a page of the newest ticks has everything up to its position, and nothing later', async () => {
  const response = await call('/api/ticks/BTCUSD?fields=seq&limit=5');
  const { items } = (await response.json()) as TicksPage;
  const position = Number(response.headers.get('stream-seq'));
  expect(items.every(({ seq }) => seq! <= position)).toBe(true);
  const since = items[0]!.time;
  await eventually('more ticks are recorded', async () => {
    const later = await json<TicksPage>('/api/ticks/BTCUSD?fields=seq&limit=1');
    return later.items[0]!.seq! > position;
  });
  const { items: all } = await json<TicksPage>(`/api/ticks/BTCUSD?fields=seq&limit=10000&from=${since}`);
  const upTo = all.filter(({ seq }) => seq! >= items[0]!.seq! && seq! <= position);
  expect(upTo).toEqual(items);
});

describe('the rows of a day', () => {
  const of = async (tier: string) => {
    const { key: own } = await service.key(tier);
    return (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      call(path, { 'X-API-Key': own, ...headers }, method);
  };
  const left = ({ headers }: Response): number => Number(headers.get('export-rows-remaining'));

  test('are counted by what is sent', async () => {
    const ask = await of('small');
    const head = await ask(`${PATH}&format=csv`, {}, 'HEAD');
    expect(left(head)).toBe(4_000);
    expect(head.headers.get('export-rows-limit')).toBe('4000');
    expect(Number(head.headers.get('export-rows-reset'))).toBeWithin(1, 86_401);
    const size = Number(head.headers.get('content-length'));
    const part = await ask(`${PATH}&format=csv`, { Range: `bytes=0-${Math.floor(size / 4) - 1}` });
    expect(left(part)).toBeWithin(4_000 - 722, 4_000 - 717);
    expect((await ask(`${PATH}&limit=500`)).headers.has('export-rows-remaining')).toBe(false);
    expect(left(await ask(`${PATH}&format=csv`))).toBe(left(part) - 2_880);
    expect((await ask(`${PATH}&limit=501`)).status).toBe(429);
    expect((await ask(`${PATH}&limit=500`)).status).toBe(200);
  });

  test.each([
    ['bars', '/api/bars/EURUSD?interval=1m&limit=1000', 1_000],
    ['bars of two instruments', '/api/bars?symbols=EURUSD,GBPUSD&interval=1m&limit=600', 1_200],
    ['indicators', '/api/indicators/EURUSD?indicators=sma(5),rsi(14)&interval=1m&limit=700', 700],
    ['charts of TradingView', '/udf/history?symbol=EURUSD&resolution=1&to=1767225600&countback=900', 900],
  ])('are counted on long pages of %s', async (_what, path, rows) => {
    const ask = await of('small');
    expect(left(await ask(path))).toBe(4_000 - rows);
    for (let request = 0; request < 5; request++) await ask(path);
    const refused = await ask(path);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 86_401);
  });

  test('that are used up are a 429 with a narrower range that fits', async () => {
    const ask = await of('small');
    const long = `/api/bars/EURUSD?interval=1m&from=${DAY}&to=${DAY + 4 * 86_400_000}&format=parquet`;
    const refused = await ask(long);
    const { code, detail } = (await refused.json()) as Problem;
    expect([refused.status, code]).toEqual([429, 'export_rows_exhausted']);
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 86_401);
    const [, from, to] = /fits: from=(\S+) to=(\S+)\.$/.exec(detail)!;
    const fitting = await ask(`/api/bars/EURUSD?interval=1m&from=${from}&to=${to}&format=parquet`);
    expect([fitting.status, fitting.headers.get('export-rows'), left(fitting)]).toEqual([200, '4000', 0]);
    expect((await ask(`${PATH}&format=csv`)).status).toBe(429);
    // Its size can still be asked for.
    expect((await ask(`${PATH}&format=csv`, {}, 'HEAD')).status).toBe(200);
  });

  test('are those of the file, also if it was written before', async () => {
    const ask = await of('small');
    await (await ask(`${PATH}&format=csv`)).text();
    const refused = await ask(`${PATH}&format=csv`);
    expect(refused.status).toBe(429);
    const [, from, to] = /fits: from=(\S+) to=(\S+)\.$/.exec(((await refused.json()) as Problem).detail)!;
    const fitting = await ask(`/api/bars/EURUSD?interval=1m&from=${from}&to=${to}&format=csv`);
    expect(fitting.status).toBe(200);
  });

  test('of a download that is aborted are those that were sent', async () => {
    const ask = await of('desk');
    const path = `/api/bars/EURUSD?interval=1m&from=${DAY - 60 * 86_400_000}&to=${DAY}&format=ndjson`;
    const before = left(await ask(path, {}, 'HEAD'));
    const response = await ask(path);
    expect(before - left(response)).toBe(86_400);
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    await eventually('the rest is given back', async () => before - left(await ask(path, {}, 'HEAD')) < 80_000);
    expect(before - left(await ask(path, {}, 'HEAD'))).toBeGreaterThan(0);
  });
});

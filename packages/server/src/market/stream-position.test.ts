// The headers Stream-Epoch and Stream-Seq: the position up to which an answer includes everything, and nothing later.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  ({ key } = await service.key('premium', ['read', 'ingest']));
});
afterAll(() => service.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, { headers: { 'X-API-Key': key, ...headers } });
const position = ({ headers }: Response) => ({
  epoch: headers.get('Stream-Epoch'),
  seq: Number(headers.get('Stream-Seq')),
});
async function push(bid: number): Promise<void> {
  const body = JSON.stringify({ symbol: 'EURUSD', time: Date.now(), bid, ask: bid + 0.0001 });
  const response = await fetch(`${service.url}/ingest/ticks`, { method: 'POST', body, headers: { 'X-API-Key': key } });
  expect(await response.json()).toMatchObject({ accepted: 1 });
}

test.each([
  '/api/market/EURUSD',
  '/api/market/EURUSD?detail=true',
  '/api/market/EURUSD?from=1970-01-01',
  '/api/market/EURUSD/quote',
  '/api/market/EURUSD/quote?detail=true',
  '/api/quotes',
  '/api/quotes?symbols=EURUSD&detail=true',
  '/api/bars/EURUSD?interval=7m',
])('%s states the position of the newest event', async (path) => {
  await push(1.1);
  const { epoch, lastSeq: before } = service.app.journal;
  const response = await get(path);
  const { seq, epoch: stated } = position(response);
  expect([response.status, stated]).toEqual([200, epoch]);
  expect(seq).toBeGreaterThanOrEqual(before);
  expect(seq).toBeLessThanOrEqual(service.app.journal.lastSeq);
});

test('ticks state a position up to which they are complete, and have nothing after it', async () => {
  const answers: { seqs: number[]; seq: number }[] = [];
  for (let round = 0; round < 8; round++) {
    const [response] = await Promise.all([get('/api/ticks/EURUSD?fields=seq&limit=10000'), push(1.1001), push(1.1002)]);
    const { items } = (await response.json()) as { items: { seq: number }[] };
    const { seq, epoch } = position(response);
    expect(epoch).toBe(service.app.journal.epoch);
    answers.push({ seqs: items.map((item) => item.seq), seq });
    await Bun.sleep(60);
  }
  const all = ((await (await get('/api/ticks/EURUSD?fields=seq&limit=10000')).json()) as { items: { seq: number }[] })
    .items;
  for (const { seqs, seq } of answers) expect(seqs).toEqual(all.map((item) => item.seq).filter((each) => each <= seq));
});

test('an unchanged answer states the position up to which it is still current', async () => {
  const first = await get('/api/market/EURUSD?bars=5');
  const etag = first.headers.get('ETag')!;
  service.app.journal.append([{ kind: 'noop' }, { kind: 'noop' }]);
  const second = await get('/api/market/EURUSD?bars=5', { 'If-None-Match': etag });
  expect(second.status).toBe(304);
  expect(position(second).seq).toBeGreaterThanOrEqual(position(first).seq + 2);
});

test('other answers of the same key, and errors, state none', async () => {
  await get('/api/market/EURUSD/quote');
  for (const path of ['/api/symbols', '/api/usage', '/api/market/NOSUCH/quote'])
    expect((await get(path)).headers.has('Stream-Seq')).toBe(false);
});

test('a page of another origin can read both headers', async () => {
  const exposed = (await get('/api/quotes', { Origin: 'https://a.example' })).headers.get(
    'Access-Control-Expose-Headers',
  );
  expect(exposed?.split(', ')).toEqual(expect.arrayContaining(['Stream-Epoch', 'Stream-Seq']));
});

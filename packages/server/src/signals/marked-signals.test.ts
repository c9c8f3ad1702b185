// Signals near calendar events, over HTTP: the marks of a signal, and records with and without marked ones.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { PublisherDetail, SignalDetail } from '@tickwire/contract';
import { BUY, EURO, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

let service: RunningService;
let market: TestMarket;
let publisher: TestPublisher;
beforeAll(async () => {
  service = await startService({ feeds: 'push', ingest_lines_per_minute: '30000' });
  publisher = await TestPublisher.of(service);
  market = await TestMarket.of(service);
  await market.quote(...EURO);
});
afterAll(() => service.stop());

async function announce(line: object): Promise<void> {
  const { key } = await service.key('premium', ['ingest']);
  const headers = { 'X-API-Key': key };
  const response = await fetch(`${service.url}/ingest/calendar`, {
    method: 'POST',
    body: JSON.stringify(line),
    headers,
  });
  expect(((await response.json()) as { accepted: number }).accepted).toBe(1);
}
const record = (query = ''): Promise<PublisherDetail> =>
  publisher.read(`/api/publishers/${encodeURIComponent(publisher.issued.account.name)}${query}`);

test('marks signals by the calendar as it was known when they closed', async () => {
  const first = await publisher.open(BUY, market);
  expect(await publisher.read<SignalDetail>(`/api/signals/${first.id}?windows=true`)).toMatchObject({ windows: null });
  await publisher.closed(first.id, market);
  await announce({ id: 'cpi', title: 'CPI', country: 'US', impact: 'high', time: Date.now() });
  const second = await publisher.open(BUY, market);
  await publisher.closed(second.id, market);
  expect(await publisher.read<SignalDetail>(`/api/signals/${second.id}?windows=true`)).toMatchObject({
    windows: { inside: true, entry: [{ title: 'CPI', revision: 1 }], exit: [{ title: 'CPI' }] },
  });
  const marked = await publisher.read<SignalDetail>(`/api/signals/${second.id}?windows=true`);
  expect(SignalDetail.parse(marked)).toStrictEqual(marked);
  // It closed before the event was known.
  expect(await publisher.read<SignalDetail>(`/api/signals/${first.id}?windows=true`)).toMatchObject({
    windows: { inside: false, entry: [], exit: [] },
  });
  expect(await publisher.detail(second.id)).not.toHaveProperty('windows');
});

test('splits the record of a publisher on request', async () => {
  await publisher.published(BUY);
  const detail = await record('?windows=true');
  expect(PublisherDetail.parse(detail)).toStrictEqual(detail);
  const { windows, closed, active, total_r } = detail;
  expect([closed, active, windows!.minutes]).toEqual([2, 1, 2]);
  expect([windows!.inside.closed, windows!.inside.active, windows!.outside.closed, windows!.outside.active]).toEqual([
    1, 0, 1, 1,
  ]);
  expect(windows!.inside.total_r + windows!.outside.total_r).toBeCloseTo(total_r, 8);
  expect(await record()).not.toHaveProperty('windows');
});

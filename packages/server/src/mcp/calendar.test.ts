// The economic calendar as an answer of `get_news`.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestAgent } from '../../testing/mcp.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

let service: RunningService;
let agent: TestAgent;
beforeAll(async () => {
  service = await startService({ feeds: 'push', ingest_lines_per_minute: '30000' });
  const { key } = await service.key('premium', ['read', 'ingest']);
  const at = Math.floor(Date.now() / 1_000) * 1_000;
  const lines = [
    { title: 'CPI', country: 'US', impact: 'high', time: at, forecast: '2.1', unit: '%' },
    ...Array.from({ length: 250 }, (_, n) => ({
      id: `e${n}`,
      title: `Event ${n}`,
      country: 'JP',
      time: at + (n + 1) * 60_000,
    })),
  ];
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  await fetch(`${service.url}/ingest/calendar`, { method: 'POST', body, headers: { 'X-API-Key': key } });
  agent = await TestAgent.overHttp(service.url, key);
});
afterAll(async () => {
  await agent.close();
  await service.stop();
});

test('lists events page by page with the fields of every answer', async () => {
  const titles: string[] = [];
  let cursor: string | undefined;
  do {
    const { data } = await agent.call('get_news', { calendar: true, ...(cursor && { cursor }) });
    expect(data).toMatchObject({
      age_ms: 0,
      stale: false,
      gaps: null,
      as_of: expect.any(String),
      notice: expect.any(String),
    });
    titles.push(...(data.items as { title: string }[]).map(({ title }) => title));
    cursor = data.next ?? undefined;
  } while (cursor);
  expect(titles).toEqual(['CPI', ...Array.from({ length: 250 }, (_, n) => `Event ${n}`)]);
});

test('tells whether a symbol is near an event now', async () => {
  const { data } = await agent.call('get_news', { calendar: true, symbol: 'EURUSD' });
  expect(data).toMatchObject({
    window: { inside: true, minutes: 2, next: null },
    items: [{ title: 'CPI', country: 'US', impact: 'high', forecast: '2.1%' }],
    next: null,
  });
});

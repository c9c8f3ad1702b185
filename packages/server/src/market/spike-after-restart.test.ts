// The spike filter knows the last price of the previous run.
import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { startService, temporaryFolder } from '../../testing/service.fixture.ts';

test('the first price after a restart is not believed if it is a spike', async () => {
  const data = temporaryFolder();
  const settings = { data, feeds: 'push' };
  const first = await startService(settings);
  const { key } = await first.key('premium', ['ingest', 'read']);
  const push = async (url: string, price: number): Promise<number> => {
    const line = JSON.stringify({ symbol: 'BTCUSD', time: Date.now(), bid: price, ask: price });
    const response = await fetch(`${url}/ingest/ticks`, { method: 'POST', body: line, headers: { 'X-API-Key': key } });
    return ((await response.json()) as { accepted: number }).accepted;
  };
  expect(await push(first.url, 60_000)).toBe(1);
  await first.stop();
  const second = await startService(settings);
  expect([await push(second.url, 6), await push(second.url, 60_010)]).toEqual([0, 1]);
  const quote = await fetch(`${second.url}/api/market/BTCUSD/quote`, { headers: { 'X-API-Key': key } });
  expect(await quote.json()).toMatchObject({ bid: 60_010 });
  await second.stop();
  rmSync(data, { recursive: true, force: true });
});

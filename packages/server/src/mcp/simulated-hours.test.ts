// REST and the tools agree on whether a simulated market is open.
import { expect, test } from 'bun:test';
import type { TradingHours } from '@tickwire/contract';
import { TestAgent } from '../../testing/mcp.fixture.ts';
import { startService } from '../../testing/service.fixture.ts';

test.each([
  ['always', 'always', 1],
  ['real', 'forex', 2],
])('with %s hours, the calendar of EURUSD is %s', async (sim_hours, calendar, sessions) => {
  const service = await startService({ sim_hours });
  try {
    const { key } = await service.key();
    const read = async <T>(path: string): Promise<T> =>
      (await (await fetch(service.url + path, { headers: { 'X-API-Key': key } })).json()) as T;
    const { items } = await read<{ items: { symbol: string; hours: { calendar: string } }[] }>(
      '/api/symbols?detail=true',
    );
    expect(items.find(({ symbol }) => symbol === 'EURUSD')!.hours.calendar).toBe(calendar);
    // A Monday to the next one.
    const hours = await read<TradingHours>('/api/market/EURUSD/hours?from=2026-03-02&to=2026-03-09');
    expect(hours.sessions.length).toBe(sessions);
    const agent = await TestAgent.overHttp(service.url, key);
    const { data } = await agent.call('get_quotes', { symbols: ['EURUSD'] });
    if (calendar === 'always') expect(data.market).toEqual({ EURUSD: { state: 'open', until: null } });
    else expect(data.market.EURUSD.until).toMatch(/^\d{4}-/);
    await agent.close();
  } finally {
    await service.stop();
  }
});

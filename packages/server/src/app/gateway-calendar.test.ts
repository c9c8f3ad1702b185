// The economic calendar of a cluster on real PostgreSQL and Redis: a gateway forwards pushed events to the ingest node, and serves
// its own replica of the calendar.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { CalendarPage, EventWindow } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import { createAccount, issueKey } from '../access/issue-key.ts';
import { waitForServices } from '../cli/wait-for-services.ts';

describe.skipIf(!canRunCluster)('a gateway of a cluster', () => {
  let cluster: SmallCluster;
  let key: string;
  const time = Math.floor(Date.now() / 1_000) * 1_000 + DAY_MS;
  beforeAll(async () => {
    cluster = await SmallCluster.start({ feeds: 'push' });
    const { access } = cluster.ingest.store;
    const by = { store: access, actor: 'test', now: Date.now() };
    const account = await createAccount(by, 'Calendar', 'premium', true);
    const scopes = ['read', 'ingest', 'admin'] as const;
    key = (await issueKey(by, { name: 'calendar', scopes: scopes as never, expiresAt: null, account })).key;
    await waitForServices(access, 'the key');
  });
  afterAll(() => cluster.end());

  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${cluster.gateway.url}${path}`, { ...init, headers: { 'X-API-Key': key } });
  const push = async (line: object): Promise<void> => {
    const response = await ask('/ingest/calendar', { method: 'POST', body: JSON.stringify(line) });
    expect([response.status, await response.json()]).toMatchObject([200, { accepted: 1 }]);
  };
  async function listed(matches: (page: CalendarPage) => boolean): Promise<CalendarPage> {
    for (let tries = 0; tries < 2_400; tries++) {
      const page = (await (await ask('/api/calendar')).json()) as CalendarPage;
      if (matches(page)) return page;
      await Bun.sleep(25);
    }
    throw new Error('the gateway does not list the event');
  }

  test('serves events that were pushed through it, their revisions and their windows', async () => {
    const line = { id: 'cpi', title: 'CPI', country: 'US', impact: 'high', time };
    await push(line);
    const [added] = (await listed(({ count }) => count === 1)).items;
    expect(added).toMatchObject({ title: 'CPI', revision: 1, status: 'scheduled' });
    await push({ ...line, actual: '2.1%' });
    const [released] = (await listed(({ items }) => items[0]?.revision === 2)).items;
    expect(released).toMatchObject({ id: added!.id, status: 'released', actual: '2.1%' });
    const window = (await (await ask(`/api/market/EURUSD/window?at=${time - 120_000}`)).json()) as EventWindow;
    expect(window).toMatchObject({ inside: true, events: [{ id: added!.id }] });
    const sources = await ask('/api/calendar/sources');
    expect([sources.status, await sources.json()]).toEqual([200, { items: [], count: 0 }]);
  });
});

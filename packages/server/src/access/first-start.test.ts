// The demo key: what it may do, and whose it is.
import { expect, test } from 'bun:test';
import type { KeyInfo } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { Person, refusal } from '../../testing/person.fixture.ts';
import { startService } from '../../testing/service.fixture.ts';

test('the demo key cannot push ticks, expires after 7 days, and belongs to the owner once there is one', async () => {
  const service = await startService({});
  const headers = { 'X-API-Key': service.app.demoKey! };
  const call = (path: string, init: RequestInit = {}) => fetch(service.url + path, { headers, ...init });
  expect((await call('/api/session')).status).toBe(200);
  const tick = JSON.stringify({ symbol: 'EURUSD', time: Date.now(), bid: 1, ask: 2 });
  expect(await refusal(call('/ingest/ticks', { method: 'POST', body: tick }))).toEqual([403, 'missing_scope']);

  const owner = await Person.owner(service);
  const { items } = await owner.read<{ items: KeyInfo[] }>('/api/keys');
  expect(items).toMatchObject([{ name: 'demo', scopes: ['read', 'alerts', 'publish'], state: 'good' }]);
  expect(Date.parse(items[0]!.expires_at!) - Date.parse(items[0]!.created_at)).toBe(7 * DAY_MS);
  expect(await (await call('/api/usage')).json()).toMatchObject({ account: 'The Owner' });
  await owner.must(200, owner.post(`/api/keys/${items[0]!.id}/revoke`));
  expect(await refusal(call('/api/session'))).toEqual([401, 'invalid_key']);
  await service.stop();
});

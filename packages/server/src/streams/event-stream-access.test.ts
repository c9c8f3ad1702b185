// Who may read `/sse` from a browser: a signed-in session of the service's own pages, and pages of other origins with a key.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { EventClient } from '../../testing/event-client.fixture.ts';
import { Person } from '../../testing/person.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { isEvent } from '../../testing/stream-client.fixture.ts';

let service: RunningService;
let owner: Person;
let url: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push', trusted_proxies: '127.0.0.1' });
  owner = await Person.owner(service);
  url = `${service.url}/sse?channels=market,alerts&symbols=EURUSD`;
});
afterAll(() => service.stop());

/** As `new EventSource(url)` in a page of the service: no Origin, no key. */
const ownPage = (): Record<string, string> => ({ Cookie: owner.cookie!, 'Sec-Fetch-Site': 'same-origin' });

test('the cookie of a session is enough for EventSource in a page of the service, and its end ends the stream', async () => {
  const events = await EventClient.open(url, ownPage());
  await events.next(isEvent('subscribed'));
  await owner.must(200, owner.post('/api/account/sign-out'));
  await events.closed;
  expect(events.notices.at(-1)).toMatchObject({ event: 'error', code: 'invalid_session', fatal: true });
  await owner.signIn('The Owner');
});

test.each([
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://elsewhere.example' },
  { 'Sec-Fetch-Site': 'same-site', Origin: 'https://other.example' },
  { 'Sec-Fetch-Site': '', Origin: 'https://elsewhere.example' },
])('the cookie does not work from a page of another origin: %j', async ({ 'Sec-Fetch-Site': site, Origin }) => {
  const headers = { Cookie: owner.cookie!, Origin, ...(site && { 'Sec-Fetch-Site': site }) };
  const response = await fetch(url, { headers });
  expect([response.status, await response.json()]).toMatchObject([403, { code: 'foreign_origin' }]);
});

test('a page of another origin can read it with a key in the header', async () => {
  const { key } = await service.key();
  const Origin = 'https://desk.example';
  const asked = await fetch(url, {
    method: 'OPTIONS',
    headers: { Origin, 'Access-Control-Request-Headers': 'x-api-key,last-event-id' },
  });
  expect(asked.status).toBe(204);
  const allowed = asked.headers.get('access-control-allow-headers')!.toLowerCase();
  for (const name of ['x-api-key', 'last-event-id']) expect(allowed).toContain(name);
  const events = await EventClient.open(url, { 'X-API-Key': key, Origin });
  expect(events.response.headers.get('access-control-allow-origin')).toBe('*');
  await events.next(isEvent('subscribed'));
  events.close();
});

test('each opening counts as a request', async () => {
  const { key } = await service.key('free');
  const statuses: number[] = [];
  for (let opening = 0; opening < 61; opening++) {
    const response = await fetch(url, { headers: { 'X-API-Key': key } });
    statuses.push(response.status);
    if (response.status === 429) expect(((await response.json()) as { code: string }).code).toBe('rate_limited');
    else await response.body!.cancel();
  }
  expect(statuses).toEqual([...Array(60).fill(200), 429]);
});

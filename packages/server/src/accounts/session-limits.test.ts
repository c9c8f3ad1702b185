// The limits of signed-in sessions: all sessions of an account share one allowance of requests and streams.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type AccountReport, TIERS, Usage } from '@tickwire/contract';
import { useCheapPasswords } from '../../testing/cheap-passwords.fixture.ts';
import { Person } from '../../testing/person.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { BUY, EURO, TestMarket } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

useCheapPasswords();
/** Of new accounts. */
const FREE = TIERS.free;

let service: RunningService;
beforeAll(async () => {
  service = await startService({ feeds: 'push', registration: 'open', trusted_proxies: '127.0.0.1' });
});
afterAll(() => service.stop());

/** A new user with this many sessions. */
async function withSessions(name: string, count: number): Promise<Person[]> {
  const sessions = [await Person.signedUp(service, name)];
  while (sessions.length < count) {
    const person = new Person(service, sessions[0]!.address);
    await person.must(200, person.signIn(name));
    sessions.push(person);
  }
  return sessions;
}

test('publications of the sessions and keys of an account count together', async () => {
  const market = await TestMarket.of(service);
  await market.quote(...EURO);
  const sessions = await withSessions('Prolific', 3);
  const key = await sessions[0]!.key();
  const publish = async (index: number): Promise<string> => {
    const person = sessions[index % 3]!;
    const withKey = { method: 'POST', body: JSON.stringify(BUY), headers: { 'X-API-Key': key } };
    const response =
      index % 4 === 0 ? await fetch(`${service.url}/api/signals`, withKey) : await person.post('/api/signals', BUY);
    const body = (await response.json()) as { id?: string; code?: string };
    if (response.status !== 201) {
      expect(Number(response.headers.get('retry-after'))).toBeWithin(1, 86_401);
      return `${response.status} ${body.code}`;
    }
    let isClosed = false;
    const closing = person.post(`/api/signals/${body.id}/close`).finally(() => {
      isClosed = true;
    });
    while (!isClosed) await market.repeat('EURUSD');
    await person.must(200, closing);
    return 'published';
  };
  const results = [];
  for (let index = 0; index < 22; index++) results.push(await publish(index));
  expect(results).toEqual([...Array(20).fill('published'), '429 signals_exhausted', '429 signals_exhausted']);
  const usage = await sessions[1]!.read<Usage>('/api/usage?detail=true');
  expect(Usage.parse(usage).signals).toEqual({
    limit: 20,
    used: 20,
    remaining: 0,
    resets_at: usage.ai_calls.resets_at,
    active_per_symbol: 5,
  });
  const [other] = await withSessions('Unpublished', 1);
  expect((await other!.read<Usage>('/api/usage?detail=true')).signals).toMatchObject({ used: 0, remaining: 20 });
  expect(await other!.read<Usage>('/api/usage')).not.toHaveProperty('signals');
});

describe('all sessions of an account together', () => {
  test('have one allowance of requests', async () => {
    const sessions = await withSessions('Many Windows', 3);
    const statuses = await Promise.all(
      sessions.flatMap((person) => Array.from({ length: 25 }, async () => (await person.get('/api/session')).status)),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(FREE.requests_per_minute);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    const another = new Person(service, sessions[0]!.address);
    await another.must(200, another.signIn('Many Windows'));
    const refused = await another.get('/api/session');
    expect(refused.status).toBe(429);
    expect(((await refused.json()) as { detail: string }).detail).toStartWith(
      'For all sessions of an account together, the free tier allows 60 requests in 60 seconds.',
    );
  });

  test('have one allowance of streams', async () => {
    const sessions = await withSessions('Many Streams', 3);
    const streams = await Promise.all(sessions.flatMap((person) => Array.from({ length: 10 }, () => person.stream())));
    const open = () => streams.filter(({ closing }) => closing === null).length;
    await eventually('the others are closed', () => open() <= FREE.streams);
    expect(open()).toBe(FREE.streams);
    const { items } = await (await Person.owner(service)).read<{ items: AccountReport[] }>('/api/admin/accounts');
    expect(items.find(({ name }) => name === 'Many Streams')).toMatchObject({
      sessions: 3,
      streams: FREE.streams,
    });
    for (const stream of streams) stream.close();
  });

  test('are separate from the sessions of other accounts and from keys', async () => {
    const [busy] = await withSessions('Busy', 1);
    const key = await busy!.key();
    const [quiet] = await withSessions('Quiet', 1);
    await Promise.all(Array.from({ length: FREE.requests_per_minute }, () => busy!.get('/api/session')));
    expect((await busy!.get('/api/session')).status).toBe(429);
    expect((await quiet!.get('/api/session')).status).toBe(200);
    expect((await fetch(`${service.url}/api/session`, { headers: { 'X-API-Key': key } })).status).toBe(200);
  });
});

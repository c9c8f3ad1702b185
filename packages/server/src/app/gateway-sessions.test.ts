// Sessions and keys of a cluster with two gateways: what one of them grants or ends is known to the other.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import { useCheapPasswords } from '../../testing/cheap-passwords.fixture.ts';
import { PASSWORD, Person } from '../../testing/person.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import type { App } from './app.ts';

useCheapPasswords();

describe.skipIf(!canRunCluster)('two gateways of a cluster', () => {
  let cluster: SmallCluster;
  beforeAll(async () => {
    cluster = await SmallCluster.start({ feeds: 'push', registration: 'open', trusted_proxies: '127.0.0.1' }, 2);
  });
  afterAll(() => cluster.end());

  /** The same browser at the other gateway. */
  const at = (gateway: App, { cookie, address }: Person): Person => {
    const person = new Person(gateway, address);
    person.cookie = cookie;
    return person;
  };

  test('accept a session and a key of the other one at once', async () => {
    const [first, second] = cluster.gateways as [App, App];
    for (let round = 0; round < 3; round++) {
      const person = new Person(first);
      await person.must(201, person.post('/api/account/sign-up', { name: `Ada ${'ABC'[round]}`, password: PASSWORD }));
      const there = at(second, person);
      expect((await there.get('/api/account')).status).toBe(200);
      const key = await there.key();
      const used = await fetch(`${first.url}/api/session`, { headers: { 'X-API-Key': key } });
      expect(used.status).toBe(200);
    }
  });

  test('share the documents of an account and the days of instruments', async () => {
    const [first, second] = cluster.gateways as [App, App];
    const person = new Person(first);
    await person.must(201, person.post('/api/account/sign-up', { name: 'Dora', password: PASSWORD }));
    const there = at(second, person);
    const path = '/api/account/documents/watchlist/Metals';
    await person.must(200, person.put(path, { value: { symbols: ['XAUUSD'] } }));
    expect(await there.read(path)).toMatchObject({ revision: 1, value: { symbols: ['XAUUSD'] } });
    await there.must(200, there.put(path, { value: {}, revision: 1 }));
    expect((await person.put(path, { value: { old: true }, revision: 1 })).status).toBe(409);
    expect((await person.read<{ items: unknown[] }>('/api/overview')).items.length).toBeGreaterThan(30);
    await person.must(200, person.post('/api/account/delete', { password: PASSWORD }));
  });

  test('end a session of the other one with a new password, even if it has just started', async () => {
    const [first, second] = cluster.gateways as [App, App];
    const person = new Person(first);
    await person.must(201, person.post('/api/account/sign-up', { name: 'Bob', password: PASSWORD }));
    const intruder = new Person(second);
    const signIn = intruder.signIn('Bob');
    // The session is stored, but the first gateway does not know it yet.
    while ((await first.store.access.sessions()).length < 5) await Bun.sleep(1);
    const change = { password: PASSWORD, new_password: `${PASSWORD} 2` };
    await person.must(200, person.post('/api/account/password', change));
    expect((await signIn).status).toBe(200);
    await eventually('the end of the session', async () => (await intruder.get('/api/account')).status === 401);
    expect((await person.get('/api/account')).status).toBe(200);
  });
});

// Attacks on sessions and sign-in, each tried against a running service.
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { useCheapPasswords } from '../../testing/cheap-passwords.fixture.ts';
import { PASSWORD, Person, refusal } from '../../testing/person.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';

let service: RunningService;
let owner: Person;
beforeAll(async () => {
  service = await startService({ feeds: 'push', registration: 'open', trusted_proxies: '127.0.0.1' });
  owner = await Person.owner(service);
});
afterAll(() => service.stop());

const EVIL = 'https://evil.example';
const guess = (person: Person, name: string) => person.signIn(name, `guess ${Math.random()}`);

describe('the session cookie', () => {
  test('is HttpOnly and SameSite=Strict, and lives 30 days', async () => {
    const response = await new Person(service).signIn('The Owner');
    const [pair, ...attributes] = response.headers.get('set-cookie')!.split('; ');
    expect(pair).toMatch(/^tickwire=[0-9a-hjkmnp-tv-z]{32}$/);
    expect(attributes).toEqual(['Path=/', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Strict']);
    expect(await response.text()).not.toContain(pair!.slice(9));
  });

  test('is bound to the host and to TLS over HTTPS', async () => {
    const person = new Person(service);
    const https = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'tick.example', Origin: 'https://tick.example' };
    const credentials = { name: 'The Owner', password: PASSWORD };
    const response = await person.post('/api/account/sign-in', credentials, https);
    expect(response.headers.get('set-cookie')).toMatch(/^__Host-tickwire=.+; Path=\/; .*SameSite=Strict; Secure$/);
    expect((await person.get('/api/account', https)).status).toBe(200);
    // The cookie without the prefix is ignored over HTTPS, since any page of the domain could have set it.
    person.cookie = person.cookie!.replace('__Host-', '');
    expect(await refusal(person.get('/api/account', https))).toEqual([401, 'missing_key']);
  });

  test('is renewed by GET /api/account', async () => {
    const response = await owner.get('/api/account');
    expect(response.headers.get('set-cookie')).toStartWith(`${owner.cookie}; Path=/; Max-Age=2592000;`);
    expect((await owner.get('/api/session')).headers.get('set-cookie')).toBeNull();
  });

  test('is rejected if it is forged', async () => {
    const stranger = new Person(service);
    for (const value of ['x', '%00', 'a'.repeat(5_000), '"', '0'.repeat(32)]) {
      stranger.cookie = `tickwire=${value}`;
      expect(await refusal(stranger.get('/api/account'))).toEqual([401, 'invalid_session']);
    }
    stranger.cookie = 'tickwire=; other=1';
    expect(await refusal(stranger.get('/api/account'))).toEqual([401, 'missing_key']);
  });
});

describe('a page of another site', () => {
  /** As the browser of a signed-in user would send it, if it sent the cookie at all. */
  const crossing: [string, Record<string, string>][] = [
    ['a foreign Origin', { Origin: EVIL }],
    ['the Origin of a sandboxed frame', { Origin: 'null' }],
    ['another port of the same host', { Origin: 'http://127.0.0.1:1' }],
    ['cross-site by the browser', { 'Sec-Fetch-Site': 'cross-site' }],
    ['same-site by the browser', { 'Sec-Fetch-Site': 'same-site' }],
  ];

  test.each(crossing)('with %s can neither change nor read anything', async (_, headers) => {
    const before = await owner.read('/api/keys');
    expect(await refusal(owner.post('/api/keys', { name: 'stolen' }, headers))).toEqual([403, 'foreign_origin']);
    expect(await refusal(owner.post('/api/account/sign-out-everywhere', {}, headers))).toEqual([403, 'foreign_origin']);
    expect(await refusal(owner.get('/api/account', headers))).toEqual([403, 'foreign_origin']);
    expect(await owner.read('/api/keys')).toEqual(before);
  });

  test('a change without Origin and Sec-Fetch-Site is rejected, too', async () => {
    const response = fetch(`${service.url}/api/keys`, {
      method: 'POST',
      body: '{"name":"stolen"}',
      headers: { Cookie: owner.cookie! },
    });
    expect(await refusal(response)).toEqual([403, 'foreign_origin']);
    // An address that the user typed is not a page of the service either.
    expect(await refusal(owner.post('/api/keys', { name: 'x' }, { 'Sec-Fetch-Site': 'none' }))).toEqual([
      403,
      'foreign_origin',
    ]);
    expect((await owner.get('/api/account', { 'Sec-Fetch-Site': 'none' })).status).toBe(200);
  });

  test('cannot sign its visitor in to an account of its choice', async () => {
    const visitor = new Person(service);
    const credentials = { name: 'The Owner', password: PASSWORD };
    expect(await refusal(visitor.post('/api/account/sign-in', credentials, { Origin: EVIL }))).toEqual([
      403,
      'foreign_origin',
    ]);
    expect(visitor.cookie).toBeNull();
  });

  test('gets no CORS credentials, but a key still works from it', async () => {
    const preflight = await fetch(`${service.url}/api/keys`, { method: 'OPTIONS', headers: { Origin: EVIL } });
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    const { key } = await service.key();
    const headers = { Origin: EVIL, Cookie: owner.cookie!, 'X-API-Key': key, 'Sec-Fetch-Site': 'cross-site' };
    const response = await fetch(`${service.url}/api/session`, { headers });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('forwarded headers of an untrusted proxy do not change the origin of the service', async () => {
    const direct = await startService({ feeds: 'push' });
    const person = await Person.owner(direct);
    const forged = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', Origin: EVIL };
    expect(await refusal(person.post('/api/keys', { name: 'stolen' }, forged))).toEqual([403, 'foreign_origin']);
    await direct.stop();
  });

  test('with public_url set, only that origin is accepted', async () => {
    const named = await startService({ feeds: 'push', public_url: 'https://tick.example' });
    expect(named.app.setupUrl).toStartWith('https://tick.example/setup?token=');
    const person = new Person(named);
    const token = new URL(named.app.setupUrl!).searchParams.get('token');
    const setup = (Origin: string) =>
      person.post('/api/account/setup', { token, name: 'Ada', password: PASSWORD }, { Origin });
    expect(await refusal(setup(named.url))).toEqual([403, 'foreign_origin']);
    expect((await setup('https://tick.example')).status).toBe(201);
    expect(person.cookie).toStartWith('__Host-tickwire=');
    await named.stop();
  });
});

describe('a WebSocket', () => {
  const open = (headers: Record<string, string>, channel = 'market') =>
    StreamClient.open(`${service.wsUrl}/ws/${channel}`, undefined, {
      headers: { Cookie: owner.cookie!, 'X-Forwarded-For': owner.address, ...headers },
    });
  const SUBSCRIBE = { action: 'subscribe', symbols: ['EURUSD'] };

  test.each([
    ['from a foreign page', { Origin: EVIL }],
    ['from another port of the host', { Origin: 'http://127.0.0.1:1' }],
    ['that does not say where it comes from', {}],
    ['that the browser calls same-site', { 'Sec-Fetch-Site': 'same-site' }],
  ] as [string, Record<string, string>][])(
    '%s is nobody, whatever its cookie; a key lets it in',
    async (_, headers) => {
      const stream = await open(headers);
      expect(await stream.ask(SUBSCRIBE)).toMatchObject({ event: 'error', code: 'missing_key' });
      const { key } = await service.key();
      expect(await stream.ask({ ...SUBSCRIBE, api_key: key })).toMatchObject({ event: 'subscribed' });
      stream.close();
    },
  );

  test('from a page of the service is authenticated by the session', async () => {
    const stream = await open({ Origin: service.url });
    expect(await stream.ask(SUBSCRIBE)).toMatchObject({ event: 'subscribed', symbols: ['EURUSD'] });
    stream.close();
  });

  test('from a page of the service with an expired cookie is rejected before it opens', async () => {
    await expect(open({ Origin: service.url, Cookie: 'tickwire=over' })).rejects.toThrow('not opened');
  });

  test('cannot push ticks with a cookie', async () => {
    const stream = await open({ Origin: service.url }, 'ingest');
    stream.send({ symbol: 'EURUSD', time: Date.now(), bid: 1, ask: 2 });
    expect(await stream.next()).toMatchObject({ event: 'error', code: 'missing_key' });
    stream.close();
  });
});

describe('session fixation', () => {
  test('a cookie set before the sign-in is worthless after it', async () => {
    const attacker = await Person.signedUp(service, 'Fixer');
    const planted = attacker.cookie;
    const victim = new Person(service);
    victim.cookie = planted;
    await Person.signedUp(service, 'Victim');
    expect((await victim.signIn('Victim')).status).toBe(200);
    expect(victim.cookie).not.toBe(planted);
    expect(await victim.read('/api/account')).toMatchObject({ name: 'Victim' });
    expect(await attacker.read('/api/account')).toMatchObject({ name: 'Fixer' });
  });
});

test('a sign-in in progress does not survive a password change', async () => {
  const home = await Person.signedUp(service, 'Quick');
  const { access } = service.app.store;
  const { addSession } = access;
  const thief = new Person(service);
  // The attacker's password was verified; the change happens before the session starts.
  access.addSession = async (record) => {
    access.addSession = addSession;
    changed = home.post('/api/account/password', { password: PASSWORD, new_password: 'another good one' });
    await addSession(record);
  };
  let changed: Promise<Response> | undefined;
  await thief.signIn('Quick');
  expect((await changed!).status).toBe(200);
  expect(await refusal(thief.get('/api/account'))).toEqual([401, 'invalid_session']);
});

describe('guessing a password', () => {
  useCheapPasswords();

  test('is limited by name and address, with Retry-After, also for the correct password', async () => {
    await Person.signedUp(service, 'Target');
    const guesser = new Person(service);
    for (let count = 0; count < 5; count++) expect((await guess(guesser, 'Target')).status).toBe(401);
    const response = await guess(guesser, 'target ');
    expect([response.status, Number(response.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(Number(response.headers.get('retry-after'))).toBeWithin(1, 31);
    expect((await guesser.signIn('Target')).status).toBe(429);
    // The owner signs in from another address and is not locked out.
    expect((await new Person(service).signIn('Target')).status).toBe(200);
  });

  test('parallel attempts get no further than sequential ones', async () => {
    await Person.signedUp(service, 'Parallel');
    const guesser = new Person(service);
    const responses = await Promise.all(Array.from({ length: 15 }, () => guess(guesser, 'Parallel')));
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  test('of many names from one address is limited by address', async () => {
    const guesser = new Person(service);
    const statuses = [];
    for (let count = 0; count < 24; count++) statuses.push((await guess(guesser, `Nobody ${count}`)).status);
    expect(statuses.slice(0, 20).every((status) => status === 401)).toBe(true);
    expect(statuses.slice(21)).toContain(429);
  });

  test('from many addresses is limited by name, except from networks with a session of the account', async () => {
    const home = await Person.signedUp(service, 'Besieged');
    const refused = [];
    for (let count = 0; count < 32; count++) refused.push((await guess(new Person(service), 'Besieged')).status);
    expect(refused.slice(-1)).toEqual([429]);
    expect((await new Person(service).signIn('Besieged')).status).toBe(429);
    expect((await new Person(service, home.address).signIn('Besieged')).status).toBe(200);
    await home.must(200, home.post('/api/account/sign-out-everywhere'));
    // Nor does signing out lock them out.
    expect((await new Person(service, home.address).signIn('Besieged')).status).toBe(200);
  });

  test('by a flood that fills the queue neither counts against others nor locks out an address they use', async () => {
    const home = await Person.signedUp(service, 'Regular');
    await home.must(200, home.signIn('Regular'));
    const elsewhere = new Person(service);
    // Those who flood have accounts of their own, and sign in to them from the same addresses.
    const crowd: Person[] = [];
    for (let count = 0; count < 6; count++) {
      crowd.push(await Person.signedUp(service, `Crowd ${count}`));
      await crowd[count]!.signIn(`Crowd ${count}`);
    }
    const flood = Promise.all(Array.from({ length: 90 }, (_, count) => guess(crowd[count % 6]!, `Flood ${count}`)));
    await Bun.sleep(20);
    const waiting = Array.from({ length: 8 }, () => elsewhere.signIn('Regular'));
    const there = (await home.signIn('Regular')).status;
    const statuses = (await flood).map(({ status }) => status);
    await Promise.all(waiting);
    expect(statuses).toContain(429);
    expect(there).toBe(200);
    // The attempts that found the queue full did not count as wrong ones.
    expect((await elsewhere.signIn('Regular')).status).toBe(200);
  });

  test('by a signed-in user is limited, too', async () => {
    const person = await Person.signedUp(service, 'Left Open');
    const statuses = [];
    for (let count = 0; count < 6; count++)
      statuses.push((await person.post('/api/account/delete', { password: `guess ${count}` })).status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
  });

  test('repeated sign-ups are limited by address', async () => {
    const eager = new Person(service);
    let last = 0;
    for (let count = 0; count < 21; count++)
      last = (await eager.post('/api/account/sign-up', { name: 'x', password: 'short' })).status;
    expect(last).toBe(429);
  });
});

test('an unknown name, an account without a password and a wrong password look the same to a guesser', async () => {
  const { account } = await service.key();
  await Person.signedUp(service, 'Known');
  const verify = spyOn(Bun.password, 'verify');
  const seen = [];
  for (const name of ['Known', 'Unknown', account.name]) {
    const response = await guess(new Person(service), name);
    const { request_id: _, ...problem } = (await response.json()) as Record<string, unknown>;
    seen.push([response.status, problem, response.headers.get('set-cookie')]);
  }
  expect(seen).toEqual([seen[0]!, seen[0]!, seen[0]!]);
  // Each computes a hash of the same cost, so that they take the same time.
  const costs = verify.mock.calls.map(([, hash]) => /^\$argon2id\$[^$]+/.exec(String(hash))?.[0]);
  expect(costs).toEqual([costs[0]!, costs[0]!, costs[0]!]);
  verify.mockRestore();
});

// The REST allowance over a real socket: the full limit in one burst, counted per account, reported correctly.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { anotherKey, changeTier, revoke } from '../../testing/access.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
});
afterAll(() => service.stop());

const get = (key: string, path = '/api/session'): Promise<Response> =>
  fetch(service.url + path, { headers: { 'X-API-Key': key } });
const burst = (key: string, count: number): Promise<Response[]> =>
  Promise.all(Array.from({ length: count }, () => get(key)));
const countOf = (responses: Response[], status: number): number =>
  responses.filter((response) => response.status === status).length;

describe('the allowance', () => {
  test.each([
    ['free', 60],
    ['pro', 120],
    ['premium', 300],
  ])('of %s is exactly %d requests in one burst', async (tier, limit) => {
    const { key } = await service.key(tier);
    const began = Date.now();
    const responses = await burst(key, limit + 5);
    const passed = (Date.now() - began) / 1000;
    expect([countOf(responses, 200), countOf(responses, 429)]).toEqual([limit, 5]);
    const left = responses
      .filter(({ status }) => status === 200)
      .map(({ headers }) => headers.get('x-ratelimit-remaining'));
    expect(new Set(left).size).toBe(limit);
    const refused = responses.find(({ status }) => status === 429)!;
    expect(refused.headers.get('ratelimit')).toMatch(/^"minute";r=0;t=\d\d?$/);
    expect(refused.headers.get('ratelimit-policy')).toBe(`"minute";q=${limit};w=60`);
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(59 - passed, 61);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
  });

  test('is shared by all keys of an account and separate from other accounts', async () => {
    const one = await service.key('free');
    const two = await anotherKey(service.folder, one.account);
    const stranger = await service.key('free');
    await service.app.keyring.refresh();
    const responses = (await Promise.all([burst(one.key, 40), burst(two.key, 40)])).flat();
    expect([countOf(responses, 200), countOf(responses, 429)]).toEqual([60, 20]);
    expect((await get(one.key)).status).toBe(429);
    expect((await get(two.key)).status).toBe(429);
    expect((await get(stranger.key)).headers.get('x-ratelimit-remaining')).toBe('59');
  });

  test('/api/usage agrees with the headers', async () => {
    const { key, id, account } = await service.key('pro');
    await burst(key, 4);
    const response = await get(key, '/api/usage');
    expect(await response.json()).toMatchObject({
      account: account.name,
      key: id,
      tier: 'pro',
      scopes: ['read'],
      requests: { limit: 120, window_seconds: 60, remaining: 115 },
      streams: { limit: 5, open: 0 },
      ai_calls: { limit: 20, used: 0, remaining: 20 },
    });
    expect(response.headers.get('x-ratelimit-remaining')).toBe('115');
  });
});

describe('the order of checks', () => {
  const WRONG_EVERYWHERE = '/api/market/NOSUCH?bars=0';

  test('is key, scope, allowance, parameters, symbol', async () => {
    const spent = await service.key('free');
    await burst(spent.key, 60);
    const publisher = await service.key('free', ['publish']);
    const fresh = await service.key('free');
    const status = async (key: string, path: string): Promise<number> => (await get(key, path)).status;
    expect((await fetch(service.url + WRONG_EVERYWHERE)).status).toBe(401);
    expect(await status('tw_bad', WRONG_EVERYWHERE)).toBe(401);
    expect(await status(publisher.key, WRONG_EVERYWHERE)).toBe(403);
    expect(await status(spent.key, WRONG_EVERYWHERE)).toBe(429);
    expect(await status(fresh.key, WRONG_EVERYWHERE)).toBe(400);
    expect(await status(fresh.key, '/api/market/NOSUCH')).toBe(404);
    expect(await status(fresh.key, '/api/market/%zz')).toBe(400);
  });

  test('checks the scope before the allowance, and a missing scope costs no request', async () => {
    const { key } = await service.key('free', ['publish']);
    const responses = await burst(key, 70);
    expect(countOf(responses, 403)).toBe(70);
    expect(responses[69]!.headers.get('x-ratelimit-remaining')).toBe('60');
  });

  test('counts invalid requests like valid ones', async () => {
    const { key } = await service.key('free');
    await get(key, WRONG_EVERYWHERE);
    await get(key, '/api/market/NOSUCH');
    expect((await get(key)).headers.get('x-ratelimit-remaining')).toBe('57');
  });
});

describe('changes from the command line', () => {
  test('a revoked key gets a 401', async () => {
    const issued = await service.key();
    expect((await get(issued.key)).status).toBe(200);
    await revoke(service.folder, issued);
    await eventually('a 401', async () => (await get(issued.key)).status === 401);
  });

  test('an expired key gets a 401', async () => {
    const { account } = await service.key();
    const { key } = await anotherKey(service.folder, account, Date.now() - 1);
    await service.app.keyring.refresh();
    const response = await get(key);
    expect([response.status, response.headers.get('ratelimit')]).toEqual([401, null]);
  });

  test('a changed tier takes effect; counted requests stay counted', async () => {
    const issued = await service.key('free');
    await burst(issued.key, 60);
    expect((await get(issued.key)).status).toBe(429);
    await changeTier(service.folder, issued, 'pro');
    await service.app.keyring.refresh();
    expect((await get(issued.key)).status).toBe(200);
    const { headers } = await get(issued.key);
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['120', '58']);
    await changeTier(service.folder, issued, 'free');
    await eventually('60', async () => (await get(issued.key)).headers.get('x-ratelimit-limit') === '60');
    expect((await get(issued.key)).status).toBe(429);
  });
});

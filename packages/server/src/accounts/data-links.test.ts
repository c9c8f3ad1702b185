// Data links: an address that reads one path without a key, and nothing else.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { DataLink, IssuedDataLink } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { useCheapPasswords } from '../../testing/cheap-passwords.fixture.ts';
import { Person, refusal } from '../../testing/person.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';
import { findAccount, issueKey } from '../access/issue-key.ts';
import { createLog } from '../ops/log.ts';

useCheapPasswords();
const BARS = '/api/bars/EURUSD?interval=1d&limit=3&format=csv';

let service: RunningService;
let ada: Person;
const logged: string[] = [];
beforeAll(async () => {
  const log = createLog({ level: 'debug', plain: false, write: (line) => logged.push(line) });
  service = await startService({ sim_rate: '500', registration: 'open', trusted_proxies: '127.0.0.1' }, log);
  await Person.owner(service);
  ada = await Person.signedUp(service, 'Ada');
});
afterAll(() => service.stop());

const create = (path: string, more: object = {}, headers: Record<string, string> = {}): Promise<Response> =>
  ada.post('/api/links', { name: 'sheet', path, ...more }, headers);
const linkTo = async (path: string): Promise<IssuedDataLink & { url: string }> =>
  (await ada.must<IssuedDataLink>(201, create(path))) as IssuedDataLink & { url: string };
const listed = async (): Promise<DataLink[]> => (await ada.read<{ items: DataLink[] }>('/api/links')).items;
const tokenOf = (url: string): string => url.split('/').at(-1)!;

describe('a link', () => {
  test('reads its path without a key, is shown only once, and reports its last use', async () => {
    const made = await linkTo(BARS);
    expect(made).toMatchObject({ name: 'sheet', path: BARS, state: 'good', revoked_at: null, last_used_at: null });
    expect(made.url).toStartWith(`${service.url.replace(/\/$/, '')}/link/tw_${made.id}_`);
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(90 * DAY_MS);
    const response = await fetch(made.url);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/csv')]);
    expect((await response.text()).split('\n')[0]!.trim()).toBe('time,open,high,low,close,volume');
    const found = (await listed()).find(({ id }) => id === made.id)!;
    expect(found.last_used_at).toMatch(/:00\.000Z$/);
    expect(JSON.stringify(await listed())).not.toContain(tokenOf(made.url));
    expect(JSON.stringify(await ada.read('/api/keys'))).not.toContain(made.id);
    for (const file of ['tickwire.db', 'tickwire.db-wal'])
      expect((await Bun.file(`${service.folder}/${file}`).bytes()).toString()).not.toContain(tokenOf(made.url));
  });

  test('is created once per Idempotency-Key', async () => {
    const before = (await listed()).length;
    const same = { 'Idempotency-Key': 'sheet' };
    const first = await ada.must<IssuedDataLink>(201, create(BARS, {}, same));
    expect(await ada.must<IssuedDataLink>(201, create(BARS, {}, same))).toEqual(first);
    expect(await refusal(create(BARS, { expires_days: 3 }, same))).toEqual([409, 'idempotency_conflict']);
    expect(await listed()).toHaveLength(before + 1);
  });

  test('cannot read anything else: its parameters are fixed, and it has no other paths', async () => {
    const { url } = await linkTo(BARS);
    const body = await (await fetch(url)).text();
    expect(await (await fetch(`${url}?limit=10000&symbol=XAUUSD`)).text()).toBe(body);
    for (const more of ['/', '/api/keys', '/config', '/../../api/keys', '/%2e%2e/api/usage'])
      expect((await fetch(url + more)).status).toBeOneOf([401, 404]);
    expect(await refusal(fetch(url, { method: 'POST' }))).toEqual([405, 'method_not_allowed']);
  });

  test('is no API key: neither REST nor streams accept its token', async () => {
    const token = tokenOf((await linkTo(BARS)).url);
    const headers = { 'X-API-Key': token };
    expect(await refusal(fetch(`${service.url}${BARS}`, { headers }))).toEqual([401, 'invalid_key']);
    expect(StreamClient.open(`${service.wsUrl}/ws/market`, token)).rejects.toThrow();
    expect(await refusal(ada.post(`/api/keys/${token.split('_')[1]}/rotate`, { overlap_hours: 1 }))).toEqual([
      404,
      'key_not_found',
    ]);
  });

  test('counts against the account, as its keys do', async () => {
    const { url } = await linkTo('/api/quotes');
    const remaining = async (): Promise<number> => Number((await fetch(url)).headers.get('x-ratelimit-remaining'));
    const before = await remaining();
    expect(await remaining()).toBe(before - 1);
    const { key } = await ada.must<{ key: string }>(201, ada.post('/api/keys', { name: 'bot' }));
    await fetch(`${service.url}/api/session`, { headers: { 'X-API-Key': key } });
    expect(await remaining()).toBe(before - 3);
  });

  test('keeps the features of its path: parts of a file, ETags, sizes, other origins', async () => {
    const { url } = await linkTo(BARS);
    const whole = await fetch(url, { headers: { Origin: 'https://sheet.example' } });
    expect(whole.headers.get('access-control-allow-origin')).toBe('*');
    const text = await whole.text();
    const part = await fetch(url, { headers: { Range: 'bytes=0-3' } });
    expect([part.status, await part.text()]).toEqual([206, text.slice(0, 4)]);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, `${text.length}`]);
    const etag = whole.headers.get('etag')!;
    expect((await fetch(url, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { Origin: 'https://sheet.example' } });
    expect([preflight.status, preflight.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  test('is a secret: no referrer, no search engine, nothing in the log', async () => {
    const { url } = await linkTo(BARS);
    for (const response of [await fetch(url), await fetch(`${url}/none`), await fetch(`${url}0`)]) {
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(response.headers.get('x-robots-tag')).toBe('noindex');
      expect(response.headers.get('cache-control')).toMatch(/no-store|private/);
    }
    expect(logged.join('\n')).toContain('/link/…');
    expect(logged.join('\n')).not.toContain(tokenOf(url));
  });
});

describe('a link ends', () => {
  test('when it is revoked', async () => {
    const { id, url } = await linkTo(BARS);
    expect(await ada.must<DataLink>(200, ada.post(`/api/links/${id}/revoke`, {}))).toMatchObject({ state: 'revoked' });
    expect(await refusal(fetch(url))).toEqual([401, 'invalid_key']);
    expect(await refusal(ada.post('/api/links/none/revoke', {}))).toEqual([404, 'link_not_found']);
  });

  test('when it expires, and with its account', async () => {
    const { access } = service.app.store;
    const account = await findAccount(access, 'Ada');
    const by = { store: access, actor: 'test', now: Date.now() };
    const issue = (expiresAt: number) => issueKey(by, { name: 'old', scopes: [], expiresAt, account, path: BARS });
    const [old, current] = [await issue(Date.now() - 1), await issue(Date.now() + DAY_MS)];
    await service.app.keyring.reload();
    const read = (token: string): Promise<Response> => fetch(`${service.url}/link/${token}`);
    expect(await refusal(read(old.key))).toEqual([401, 'invalid_key']);
    expect((await read(current.key)).status).toBe(200);
    await access.setDisabled(account.id, Date.now());
    await service.app.keyring.reload();
    expect(await refusal(read(current.key))).toEqual([401, 'invalid_key']);
    await access.setDisabled(account.id, null);
    await service.app.keyring.reload();
  });

  test('and guesses are limited by address', async () => {
    const guess = (address: string): Promise<Response> =>
      fetch(`${service.url}/link/tw_0000000000_guess`, { headers: { 'X-Forwarded-For': address } });
    const codes = new Set<string>();
    for (let tries = 0; tries < 40; tries++) codes.add((await refusal(guess('192.0.2.9')))[1]);
    expect([...codes]).toEqual(['invalid_key', 'too_many_failures']);
    expect((await refusal(guess('192.0.2.10')))[1]).toBe('invalid_key');
  });
});

describe('no link is created', () => {
  test.each([
    ['/api/account', 'invalid_parameter'],
    ['/api/keys', 'invalid_parameter'],
    ['/api/alerts', 'invalid_parameter'],
    ['/api/usage', 'invalid_parameter'],
    ['/api/ai/brief/EURUSD', 'invalid_parameter'],
    ['/api/admin/audit', 'invalid_parameter'],
    ['/healthz', 'invalid_parameter'],
    ['/link/x', 'invalid_parameter'],
    ['//other.example/api/quotes', 'invalid_parameter'],
    ['/\\other.example/api/quotes', 'invalid_parameter'],
    ['/api/bars/../keys', 'invalid_parameter'],
    ['api/quotes', 'invalid_parameter'],
    ['/api/bars/EURUSD?interval=nonsense', 'invalid_parameter'],
    ['/api/bars/EURUSD?intervall=1d', 'unknown_parameter'],
    ['/api/bars/%ff', 'malformed_path'],
    ['/api/bars/NOSUCH', 'symbol_not_found'],
  ])('to %p', async (path, code) => {
    expect((await refusal(create(path)))[1]).toBe(code);
  });

  test('without an expiry within a year', async () => {
    for (const expires_days of [0, 367, null, 1.5])
      expect(await refusal(create(BARS, { expires_days }))).toEqual([400, 'invalid_parameter']);
  });

  test('by a key without the scope admin', async () => {
    const { key } = await service.key();
    const made = fetch(`${service.url}/api/links`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'x', path: BARS }),
    });
    expect(await refusal(made)).toEqual([403, 'missing_scope']);
  });
});

test('a spelling of a symbol is kept in the path', async () => {
  const { url, path } = await linkTo('/api/market/EUR%2FUSD/quote');
  expect(path).toBe('/api/market/EUR%2FUSD/quote');
  expect(await (await fetch(url)).json()).toMatchObject({ symbol: 'EURUSD' });
});

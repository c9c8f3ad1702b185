// Public records over the wire: off by default, readable without a key if they are on, safe with any name.
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { PublicRecordPage, PublisherDetail } from '@tickwire/contract';
import { eventually } from '../../testing/process.fixture.ts';
import { atMarket, BUY, codeOf, EURO, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { makeKey, type RunningService, startService } from '../../testing/service.fixture.ts';
import { badgeSvg } from '../pages/badge.ts';

const HOSTILE = `"><script>alert(1)</script>&'$&`;

let service: RunningService;
let publisher: TestPublisher;
let hostile: TestPublisher;
let closed: string;
let open: string;
beforeAll(async () => {
  service = await startService({ sim_rate: '500', house: 'none', public_records: 'on' });
  publisher = await TestPublisher.of(service);
  closed = (await publisher.published(await atMarket(publisher))).id;
  await publisher.closed(closed);
  open = (await publisher.published(await atMarket(publisher, 'XAUUSD'))).id;
  hostile = await hostilePublisher();
  await hostile.published(await atMarket(hostile));
});
afterAll(() => service.stop());

/** A publisher whose name the rules for names would not allow: a store may hold one from elsewhere. */
async function hostilePublisher(): Promise<TestPublisher> {
  const issued = await makeKey(service.folder, 'premium', ['read', 'publish']);
  const store = new Database(join(service.folder, 'tickwire.db'));
  store.run('UPDATE accounts SET name = ? WHERE public_id = ?', [HOSTILE, issued.account.publicId]);
  store.close();
  await service.app.keyring.refresh();
  return new TestPublisher(service, issued);
}

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(service.url + path, { headers });
const json = async <T>(path: string): Promise<T> => (await (await get(path)).json()) as T;
const pathOf = ({ name }: TestPublisher): string => `/p/${encodeURIComponent(name)}`;

describe('off by default', () => {
  let quiet: RunningService;
  let known: TestPublisher;
  beforeAll(async () => {
    quiet = await startService({ sim_rate: '500', house: 'none' });
    known = await TestPublisher.of(quiet);
    await known.published(await atMarket(known));
  });
  afterAll(() => quiet.stop());

  test('page, badge and records of a publisher do not exist', async () => {
    const record = `/public/publishers/${known.id}`;
    for (const path of [`/p/${known.id}`, `/p/${known.id}/badge.svg`, record, `${record}/records`])
      expect([path, await codeOf(await fetch(quiet.url + path))]).toEqual([path, [404, 'not_found']]);
    expect((await known.get(`/api/publishers/${known.id}`)).status).toBe(200);
  });

  test('anyone can keep heads of the log all the same', async () => {
    await quiet.app.store.heads.keep({ n: 0, hash: '0'.repeat(64), at: Date.now(), signature: 'ab' });
    for (const path of ['/signals/heads', '/signals/heads?limit=1', '/signals/head']) {
      const open = await fetch(`${quiet.url}/public${path}`);
      expect([path, open.status, await open.json()]).toEqual([path, 200, await known.read(`/api${path}`)]);
    }
    expect(await codeOf(await fetch(`${quiet.url}/public/signals/heads?limit=0`))).toEqual([400, 'invalid_parameter']);
    expect((await fetch(`${quiet.url}/public/signals/log`)).status).toBe(404);
  });
});

describe('the JSON', () => {
  test('is the track record that callers with a key get', async () => {
    const shared = await json<PublisherDetail>(`/public/publishers/${encodeURIComponent(publisher.name)}`);
    const own = await publisher.read<PublisherDetail>(`/api/publishers/${publisher.id}`);
    expect(Object.keys(shared)).toEqual(Object.keys(own));
    expect(shared).toMatchObject({ publisher: publisher.id, signals: 2, closed: 1, equity: own.equity });
  });

  test('has all records of its signals as in the log, newest signal first, in pages', async () => {
    const path = `/public/publishers/${publisher.id}/records`;
    const all = await json<PublicRecordPage>(path);
    expect(all.items.map(({ signal }) => signal)).toEqual([open, closed]);
    expect(all).toMatchObject({ count: 2, next: null, untrusted_sources: [] });
    const { items } = await publisher.read<{ items: object[] }>('/api/signals/log');
    for (const { records } of all.items) for (const entry of records) expect(items).toContainEqual(entry);
    const types = all.items[1]!.records.map(({ record }) => record.type);
    expect(types.toSorted()).toEqual(['close_requested', 'closed', 'filled', 'published']);
    const first = await json<PublicRecordPage>(`${path}?limit=1`);
    expect(first.next).toBe(all.items[0]!.records[0]!.record.n);
    expect((await json<PublicRecordPage>(`${path}?limit=1&before=${first.next}`)).items).toEqual([all.items[1]!]);
    expect((await get(path)).headers.get('x-robots-tag')).toBe('noindex');
  });

  test('rejects what it cannot read', async () => {
    const path = `/public/publishers/${publisher.id}/records`;
    for (const query of ['limit=101', 'limit=0', 'before=x', 'before=-1'])
      expect([query, await codeOf(await get(`${path}?${query}`))]).toEqual([query, [400, 'invalid_parameter']]);
    expect(await codeOf(await get('/public/publishers/nobody/records'))).toEqual([404, 'publisher_not_found']);
    expect(await codeOf(await get('/public/publishers/%ff/records'))).toEqual([400, 'malformed_path']);
    const posted = await fetch(service.url + path, { method: 'POST' });
    expect(await codeOf(posted)).toEqual([405, 'method_not_allowed']);
  });

  test('names sources that are not trusted', async () => {
    const pushed = await startService({ feeds: 'push', house: 'none', public_records: 'on' });
    const market = await TestMarket.of(pushed);
    const own = await TestPublisher.of(pushed);
    await market.quote(...EURO);
    await own.open(BUY, market);
    const page = (await (await fetch(`${pushed.url}/public/publishers/${own.id}/records`)).json()) as PublicRecordPage;
    expect(page.untrusted_sources).toEqual([expect.stringMatching(/^push:pub_/)]);
    await pushed.stop();
  });
});

describe('the page', () => {
  test('is served by name and by id, with the policy of the terminal and a title', async () => {
    for (const path of [pathOf(publisher), `/p/${publisher.id}`]) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      const terminal = await get('/');
      for (const header of ['x-frame-options', 'referrer-policy', 'cache-control'])
        expect([header, response.headers.get(header)]).toEqual([header, terminal.headers.get(header)]);
      // Only the terminal has a worker.
      const policy = terminal.headers.get('content-security-policy')!;
      expect(response.headers.get('content-security-policy')).toBe(
        policy.replace("trusted-types push-worker; worker-src 'self'", "trusted-types 'none'"),
      );
      expect(response.headers.has('x-robots-tag')).toBe(false);
      const html = await response.text();
      expect(html).toContain(`<title>${publisher.name} · track record</title>`);
      expect(html).not.toContain('noindex');
      // Its description has the result so far, which changes with the price of the open signal.
      await eventually('the page is not sent again', async () => {
        const etag = (await get(path)).headers.get('etag') ?? '';
        return (await get(path, { 'If-None-Match': etag })).status === 304;
      });
    }
  });

  test('loads its own files, and not the terminal', async () => {
    const html = await (await get(pathOf(publisher))).text();
    const files = [...html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file!);
    expect(files.map((file) => file.replace(/.*\./, '')).sort()).toEqual(['css', 'js']);
    let bytes = 0;
    for (const file of files) {
      expect(file).toStartWith('/public/assets/');
      const response = await get(file);
      expect([file, response.status]).toEqual([file, 200]);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      bytes += Bun.gzipSync(await response.bytes()).byteLength;
    }
    // The terminal has more than 100 KB.
    expect(bytes).toBeLessThan(40_000);
    expect((await get('/public/assets/nothing.js')).status).toBe(404);
  });

  test('is a plain 404 page for an unknown publisher, and for one without signals', async () => {
    const silent = await TestPublisher.of(service);
    for (const path of ['/p/nobody', '/p/nobody/badge.svg', `/p/${silent.id}`]) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.headers.get('content-type')).toStartWith('text/html');
      expect(await response.text()).toContain('noindex');
    }
    expect(await codeOf(await get('/p/%ff'))).toEqual([400, 'malformed_path']);
  });

  test('shows a hostile name as text', async () => {
    const html = await (await get(`/p/${hostile.id}`)).text();
    expect(html).not.toContain('<script>');
    expect(html).toContain(
      '<title>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#x27;$&amp; · track record</title>',
    );
  });
});

describe('the badge', () => {
  const badge = (): string => `${pathOf(publisher)}/badge.svg`;

  test('is an image with the status, that other sites may embed and cache for some seconds', async () => {
    const response = await get(badge(), { Origin: 'https://elsewhere.example' });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=30',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    const svg = await response.text();
    expect(svg).toMatch(/role="img" aria-label="[^"]+ · unproven · \d decisions?"/);
    expect(svg).not.toMatch(/script|style|href|http(?!:\/\/www\.w3\.org\/2000\/svg)/);
  });

  test('has an ETag', async () => {
    await eventually('the badge is not sent again', async () => {
      const etag = (await get(badge())).headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]+"$/);
      const again = await get(badge(), { 'If-None-Match': etag });
      return again.status === 304 && (await again.text()) === '';
    });
  });

  test('escapes a hostile name, and is well-formed', async () => {
    const svg = await (await get(`/p/${hostile.id}/badge.svg`)).text();
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    for (const tag of svg.matchAll(/<[^>]*>/g))
      expect(tag[0]).toMatch(/^<\/?(svg|title|clipPath|rect|g|text)( [\w:-]+="[^"<>]*")*\/?>$/);
  });

  test('shows rank and decisions, and fits any name', () => {
    const standing = { status: 'ranked', rank: 2, decisions: 143 } as const;
    expect(badgeSvg({ name: 'goldsmith', ...standing })).toContain('aria-label="goldsmith · ranked 2 · 143 decisions"');
    const strange = badgeSvg({ name: `\u202eevil\u0000\ud800${'黄金'.repeat(40)}`, ...standing });
    for (const character of ['\u0000', '\u202e']) expect(strange).not.toContain(character);
    expect(strange.isWellFormed()).toBe(true);
    expect(Number(/width="(\d+)"/.exec(strange)?.[1])).toBeLessThan(600);
  });
});

test('requests count against the limit of their address', async () => {
  const limited = await startService({
    sim_rate: '500',
    house: 'none',
    public_records: 'on',
    anonymous_requests_per_minute: '3',
  });
  const own = await TestPublisher.of(limited);
  await own.published(await atMarket(own));
  const paths = [`/p/${own.id}`, `/p/${own.id}/badge.svg`, `/public/publishers/${own.id}/records`];
  for (const path of paths) expect([path, (await fetch(limited.url + path)).status]).toEqual([path, 200]);
  for (const path of [...paths, `/public/publishers/${own.id}`]) {
    const response = await fetch(limited.url + path);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect([path, await codeOf(response)]).toEqual([path, [429, 'too_many_requests']]);
  }
  await limited.stop();
});

import { expect, test } from 'bun:test';
import { type CoreClient, TickwireError } from '@tickwire/client';
import { AccountDocuments, isConflict } from './account-documents.ts';
import { BrowserDocuments } from './stored-documents.ts';

type Api = CoreClient['account']['documents'];
const failure = (status: number, code: 'document_conflict' | 'document_not_found') =>
  new TickwireError({ status, code, detail: code });

/** The documents of an account at the service, for several devices. */
function account() {
  const stored = new Map<string, { value: Readonly<Record<string, unknown>>; revision: number }>();
  const updated = new Date().toISOString();
  const info = (kind: string, name: string) => ({
    kind,
    name,
    updated,
    revision: stored.get(`${kind}/${name}`)!.revision,
  });
  const api = {
    get: async (kind: string, name: string) => {
      const found = stored.get(`${kind}/${name}`);
      if (!found) throw failure(404, 'document_not_found');
      return { ...info(kind, name), value: found.value };
    },
    put: async (kind: string, name: string, { value, revision = 0 }: { value: never; revision?: number }) => {
      const before = stored.get(`${kind}/${name}`)?.revision ?? 0;
      if (revision !== before) throw failure(409, 'document_conflict');
      stored.set(`${kind}/${name}`, { value, revision: before + 1 });
      return info(kind, name);
    },
    remove: async (kind: string, name: string) => {
      if (!stored.delete(`${kind}/${name}`)) throw failure(404, 'document_not_found');
    },
    list: async () => ({
      items: [...stored.keys()].map((key) => {
        const [kind, name] = key.split('/') as [string, string];
        return info(kind, name);
      }),
    }),
  };
  return { api: api as unknown as Api, stored };
}

/** Storage of a browser. */
function browserStorage(entries: Readonly<Record<string, string>> = {}): Storage {
  const kept = new Map(Object.entries(entries));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
    key: (at: number) => [...kept.keys()][at] ?? null,
    get length() {
      return kept.size;
    },
  } as unknown as Storage;
}

test('reads, writes, lists and removes', async () => {
  const { api } = account();
  const documents = new AccountDocuments(api);
  expect(await documents.read('drawings', 'EURUSD')).toBeNull();
  await documents.write('drawings', 'EURUSD', { a: 1 });
  await documents.write('drawings', 'EURUSD', { a: 2 });
  expect(await new AccountDocuments(api).read('drawings', 'EURUSD')).toEqual({ a: 2 });
  expect(await documents.names('drawings')).toEqual(['EURUSD']);
  await documents.remove('drawings', 'EURUSD');
  await documents.remove('drawings', 'EURUSD');
  await documents.write('drawings', 'EURUSD', { a: 3 });
  expect(await documents.read('drawings', 'EURUSD')).toEqual({ a: 3 });
});

test('does not overwrite what another device has written since it was read', async () => {
  const { api, stored } = account();
  const [one, other] = [new AccountDocuments(api), new AccountDocuments(api)];
  await one.write('drawings', 'main', { from: 'one' });
  await other.read('drawings', 'main');
  await one.write('drawings', 'main', { from: 'one again' });
  const failed = await other.write('drawings', 'main', { from: 'other' }).catch((error: unknown) => error);
  expect(isConflict(failed)).toBe(true);
  expect(stored.get('drawings/main')?.value).toEqual({ from: 'one again' });
  // Read and merged, it can be written.
  await other.read('drawings', 'main');
  await other.write('drawings', 'main', { from: 'both' });
  expect(stored.get('drawings/main')?.value).toEqual({ from: 'both' });
});

test('moves documents of the browser to the account once, and keeps what the account already has', async () => {
  const { api, stored } = account();
  stored.set('watchlist/Metals', { value: { from: 'account' }, revision: 4 });
  const storage = browserStorage({
    'tickwire.documents.drawings.EURUSD': '{"from":"browser"}',
    'tickwire.documents.watchlist.Metals': '{"from":"browser"}',
    'tickwire.market': '{}',
  });
  const documents = new AccountDocuments(api, { earlier: new BrowserDocuments(storage) });
  expect(await documents.read('drawings', 'EURUSD')).toEqual({ from: 'browser' });
  expect(await documents.read('watchlist', 'Metals')).toEqual({ from: 'account' });
  expect(Array.from({ length: storage.length }, (_, at) => storage.key(at))).toEqual(['tickwire.market']);
});

test('changes made at once are written one after the other, and the last one stays', async () => {
  const { api, stored } = account();
  const documents = new AccountDocuments(api);
  await documents.read('settings', 'indicators');
  await Promise.all([1, 2, 3].map((count) => documents.write('settings', 'indicators', { count })));
  expect(stored.get('settings/indicators')).toEqual({ value: { count: 3 } as never, revision: 3 });
});

test('what is not merged is replaced by the last change, whichever device made it', async () => {
  const { api, stored } = account();
  const [desk, phone] = [new AccountDocuments(api), new AccountDocuments(api)];
  await desk.write('layout', 'Mine', { charts: 1 });
  await phone.write('layout', 'Mine', { charts: 2 });
  await desk.write('layout', 'Mine', { charts: 3 });
  expect(stored.get('layout/Mine')?.value).toEqual({ charts: 3 } as never);
});

/** A page that is left before the service has answered: its requests never end. */
const leftEarly = (api: Api): Api =>
  withThese(api, { put: () => new Promise(() => {}), remove: () => new Promise(() => {}) });
const withThese = (api: Api, methods: Partial<Api>): Api => ({ ...api, ...methods }) as unknown as Api;

test('a change that the page was left with is stored at the next visit, before anything is read', async () => {
  const { api, stored } = account();
  const unsaved = new BrowserDocuments(browserStorage(), 'tickwire.unsaved.a1');
  await new AccountDocuments(api).write('watchlist', 'list-2', { name: 'Old' });
  const left = new AccountDocuments(leftEarly(api), { unsaved });
  void left.write('settings', 'watchlist', { view: 'all' });
  void left.write('settings', 'watchlist', { view: 'favourites' });
  void left.remove('watchlist', 'list-2');
  const next = new AccountDocuments(api, { unsaved });
  expect(await next.read('settings', 'watchlist')).toEqual({ view: 'favourites' });
  expect(await next.names('watchlist')).toEqual([]);
  expect(stored.get('settings/watchlist')?.revision).toBe(1);
  expect(await unsaved.names('settings')).toEqual([]);
  expect(await unsaved.names('watchlist')).toEqual([]);
});

test('a change is kept while the service cannot be reached, but not if it was refused', async () => {
  const { api } = account();
  const unsaved = new BrowserDocuments(browserStorage(), 'tickwire.unsaved.a1');
  const failing = (error: TickwireError): Api => withThese(api, { put: () => Promise.reject(error) });
  const write = (error: TickwireError, view: string): Promise<void> =>
    new AccountDocuments(failing(error), { unsaved }).write('settings', 'watchlist', { view });
  await expect(write(failure(400, 'document_conflict'), 'all')).rejects.toThrow();
  expect(await unsaved.names('settings')).toEqual([]);
  await expect(
    write(new TickwireError({ status: 503, code: 'store_unavailable', detail: '' }), 'movers'),
  ).rejects.toThrow();
  expect(await new AccountDocuments(api, { unsaved }).read('settings', 'watchlist')).toEqual({ view: 'movers' });
});

test('a later change of another device is not replaced by one that was left unsaved', async () => {
  const { api } = account();
  await new AccountDocuments(api).write('settings', 'watchlist', { view: 'all' });
  const unsaved = new BrowserDocuments(browserStorage(), 'tickwire.unsaved.a1');
  await unsaved.write('settings', 'watchlist', { at: Date.now() - 3_600_000, value: { view: 'movers' } });
  const documents = new AccountDocuments(api, { unsaved });
  expect(await documents.read('settings', 'watchlist')).toEqual({ view: 'all' });
  expect(await unsaved.names('settings')).toEqual([]);
});

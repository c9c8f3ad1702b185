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
  const info = (kind: string, name: string) => ({ kind, name, revision: stored.get(`${kind}/${name}`)!.revision });
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
    list: async ({ kind }: { kind: string }) => ({
      items: [...stored.keys()]
        .filter((key) => key.startsWith(`${kind}/`))
        .map((key) => ({ name: key.slice(kind.length + 1) })),
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
  const documents = new AccountDocuments(api, new BrowserDocuments(storage));
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

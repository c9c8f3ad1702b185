import { expect, test } from 'bun:test';
import { TickwireError } from '@tickwire/client';
import { BrowserDocuments, type StoredDocuments } from '../../services/stored-documents.ts';
import type { Drawing } from './drawing.ts';
import { DrawingStore } from './drawing-store.ts';

const level = (id: string, price = 1): Drawing => ({
  id,
  kind: 'horizontal',
  points: [{ time: 1, price }],
  color: 'accent',
  width: 2,
  style: 'solid',
  text: '',
  changed: 0,
});

/** Documents in memory; `before` runs before each write and may reject it. */
function memory(before: () => void = () => {}) {
  const stored = new Map<string, string>();
  const documents: StoredDocuments = {
    read: async (_kind, name) => JSON.parse(stored.get(name) ?? 'null'),
    write: async (_kind, name, value) => {
      before();
      stored.set(name, JSON.stringify(value));
    },
    remove: async (_kind, name) => void stored.delete(name),
    names: async () => [...stored.keys()],
  };
  return { documents, stored };
}

const storeOf = (documents: StoredDocuments, failures: unknown[] = []): DrawingStore =>
  new DrawingStore({ documents, symbol: 'EURUSD', onFailure: (error) => failures.push(error) });
const ids = (store: DrawingStore): readonly string[] => store.drawings.map(({ id }) => id);

test('what one device stores, another one reads', async () => {
  const { documents } = memory();
  const [one, other] = [storeOf(documents), storeOf(documents)];
  one.put(level('a'));
  expect(one.unsaved).toBe(true);
  await one.flush();
  expect(one.unsaved).toBe(false);
  await other.load();
  expect(ids(other)).toEqual(['a']);
});

test('two devices that draw at the same time lose nothing, and a deletion reaches the other one', async () => {
  const { documents } = memory();
  const [one, other] = [storeOf(documents), storeOf(documents)];
  one.put(level('a'), level('b'));
  other.put(level('c'));
  await one.flush();
  await other.flush();
  await one.load();
  expect(ids(one).toSorted()).toEqual(['a', 'b', 'c']);
  one.remove('c');
  await one.flush();
  other.put(level('d'));
  await other.flush();
  expect(ids(other).toSorted()).toEqual(['a', 'b', 'd']);
});

test('a change wins over every version known, even if the other clock is ahead', async () => {
  const { documents } = memory();
  const ahead = new DrawingStore({ documents, symbol: 'EURUSD', onFailure: () => {}, now: () => Date.now() + 60_000 });
  ahead.put(level('a', 1));
  await ahead.flush();
  const store = storeOf(documents);
  await store.load();
  store.put(level('a', 2));
  await store.flush();
  await ahead.load();
  expect(ahead.find('a')?.points[0]?.price).toBe(2);
});

test('a conflict is merged and written again at once', async () => {
  let conflicts = 2;
  const { documents } = memory(() => {
    if (conflicts-- > 0) throw new TickwireError({ status: 409, code: 'document_conflict', detail: 'changed' });
  });
  const failures: unknown[] = [];
  const store = storeOf(documents, failures);
  store.put(level('a'));
  await store.flush();
  expect([failures.length, store.unsaved]).toEqual([0, false]);
});

test('a failed save is reported, and what was drawn is not lost', async () => {
  let broken = true;
  const { documents, stored } = memory(() => {
    if (broken) throw new Error('full');
  });
  const failures: unknown[] = [];
  const store = storeOf(documents, failures);
  store.put(level('a'));
  await store.flush();
  expect([failures.length, store.unsaved, stored.size]).toEqual([1, true, 0]);
  broken = false;
  await store.flush();
  expect([store.unsaved, stored.size]).toEqual([false, 1]);
  store.close();
});

test('tells its charts about changes, and not about a read without news', async () => {
  const { documents } = memory();
  const store = storeOf(documents);
  let told = 0;
  const end = new AbortController();
  store.onChange(end.signal, () => told++);
  store.put(level('a'));
  await store.flush();
  await store.load();
  expect(told).toBe(1);
  end.abort();
  store.remove('a');
  expect(told).toBe(1);
  store.close();
});

test('says when there is no room for another drawing: too many, or too much text', () => {
  const store = storeOf(memory().documents);
  const note = (id: string): Drawing => ({ ...level(id), kind: 'text', text: '\u20ac'.repeat(200) });
  store.put(...Array.from({ length: 70 }, (_, at) => note(`t${at}`)));
  expect(store.noRoomFor(note('x'))).toBe('');
  store.put(...Array.from({ length: 20 }, (_, at) => note(`u${at}`)));
  expect(store.noRoomFor(note('x'))).toContain('too much text');
  store.remove(...store.drawings.map(({ id }) => id));
  store.put(...Array.from({ length: 200 }, (_, at) => level(`l${at}`)));
  expect(store.noRoomFor(level('x'))).toContain('200 drawings, which is the maximum');
  store.close();
});

test('a drawing that the page was left with is there at the next visit, beside those of other devices', async () => {
  const entries = new Map<string, string>();
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
    key: (at: number) => [...entries.keys()][at] ?? null,
    length: 0,
  };
  const { documents } = memory();
  const withUnsaved: StoredDocuments = { ...documents, unsaved: new BrowserDocuments(storage, 'tickwire.unsaved.a1') };
  storeOf(withUnsaved).put(level('mine'));
  const other = storeOf(documents);
  other.put(level('theirs'));
  await other.flush();
  const next = storeOf(withUnsaved);
  await next.load();
  expect(ids(next).toSorted()).toEqual(['mine', 'theirs']);
  expect(next.unsaved).toBe(true);
  await next.flush();
  expect(entries.size).toBe(0);
  await other.load();
  expect(ids(other).toSorted()).toEqual(['mine', 'theirs']);
});

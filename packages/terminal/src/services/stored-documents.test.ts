import { expect, test } from 'bun:test';
import { BrowserDocuments } from './stored-documents.ts';

class MemoryStorage {
  readonly #items = new Map<string, string>();
  get length(): number {
    return this.#items.size;
  }
  key = (at: number): string | null => [...this.#items.keys()][at] ?? null;
  getItem = (key: string): string | null => this.#items.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.#items.set(key, value);
  removeItem = (key: string): void => void this.#items.delete(key);
}

test('a document is read, replaced, listed and removed', async () => {
  const documents = new BrowserDocuments(new MemoryStorage());
  expect(await documents.read('drawings', 'EURUSD')).toBeNull();
  await documents.write('drawings', 'EURUSD', { items: [1] });
  await documents.write('drawings', 'BTCUSD', { items: [] });
  await documents.write('layout', 'EURUSD', {});
  await documents.write('drawings', 'EURUSD', { items: [2] });
  expect(await documents.read('drawings', 'EURUSD')).toEqual({ items: [2] });
  expect(await documents.names('drawings')).toEqual(['BTCUSD', 'EURUSD']);
  await documents.remove('drawings', 'EURUSD');
  expect(await documents.names('drawings')).toEqual(['BTCUSD']);
});

test('a full storage rejects, so that the user learns of it', async () => {
  const full = new MemoryStorage();
  full.setItem = () => {
    throw new Error('full');
  };
  await expect(new BrowserDocuments(full).write('layout', 'a', {})).rejects.toThrow('stores nothing more');
});

import { expect, test } from 'bun:test';
import { KeyStore } from './key-store.ts';

function storage() {
  const entries = new Map<string, string>();
  return {
    entries,
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  };
}

test('stores a key with the tab unless it is to be remembered', () => {
  const [tab, device] = [storage(), storage()];
  const keys = new KeyStore(tab, device);
  keys.keep('one', false);
  expect([tab.entries.size, device.entries.size, keys.read()]).toEqual([1, 0, 'one']);
  keys.keep('two', true);
  expect([tab.entries.size, device.entries.size, keys.read()]).toEqual([0, 1, 'two']);
});

test('forgets the key everywhere on sign-out', () => {
  const [tab, device] = [storage(), storage()];
  const keys = new KeyStore(tab, device);
  keys.keep('one', true);
  keys.forget();
  expect(keys.read()).toBeNull();
  expect(tab.entries.size + device.entries.size).toBe(0);
});

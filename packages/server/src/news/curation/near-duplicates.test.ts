import { describe, expect, test } from 'bun:test';
import { asEpochMs, HOUR_MS } from '@tickwire/engine';
import { type ComparableItem, NearDuplicateIndex } from './near-duplicates.ts';

const item = (id: string, title: string, hour = 0, symbols: string[] = []): ComparableItem => {
  const at = asEpochMs(1_000_000_000_000 + hour * HOUR_MS);
  return { id, title, source: 'Wire', account: null, symbols, publishedAt: at, seenAt: at };
};
const TITLE = 'Central bank leaves policy rate unchanged as expected';

describe('the near-duplicate index', () => {
  test('finds the earliest item with the same news, and forgets replaced titles', () => {
    const index = new NearDuplicateIndex();
    index.put(item('b', TITLE, 2));
    index.put(item('a', TITLE, 1));
    expect(index.find(item('c', TITLE, 3))).toMatchObject({ relation: 'same', item: { id: 'a' } });
    index.put(item('a', 'Something else entirely was said at noon', 1));
    expect(index.find(item('c', TITLE, 3))).toMatchObject({ item: { id: 'b' } });
    expect(index.size).toBe(2);
  });

  test('requires the same instruments and the time window', () => {
    const index = new NearDuplicateIndex({ windowMs: HOUR_MS });
    index.put(item('a', TITLE, 0, ['EURUSD']));
    expect(index.find(item('b', TITLE, 1, ['EURUSD']))).not.toBeNull();
    expect(index.find(item('b', TITLE, 1, ['GBPUSD']))).toBeNull();
    expect(index.find(item('b', TITLE, 1.1, ['EURUSD']))).toBeNull();
  });

  test('evicts the oldest items by number and age, also from its postings', () => {
    const index = new NearDuplicateIndex({ maxItems: 100 });
    for (let n = 0; n < 5_000; n++)
      index.put(item(`n${n}`, `Word${'abcdefghij'[n % 10]} of day tells story part ${n}`, n / 100));
    expect(index.size).toBe(100);
    expect(index.get('n4899')).toBeUndefined();
    expect(index.get('n4900')).toBeDefined();
    expect(index.postings).toBeLessThanOrEqual(100 * 8);
    index.put(item('late', TITLE, 1_000));
    expect(index.size).toBe(1);
  });
});

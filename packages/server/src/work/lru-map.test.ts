import { expect, test } from 'bun:test';
import { LruMap } from './lru-map.ts';

test('an LRU map keeps used keys and never exceeds its size', () => {
  const keys = new LruMap<string, number>(100);
  keys.set('kept', 1);
  for (let n = 0; n < 10_000; n++) {
    keys.set(`k${n}`, n);
    if (n % 20 === 0) expect(keys.get('kept')).toBe(1);
    expect(keys.size).toBeLessThanOrEqual(100);
  }
  expect(keys.get('k9999')).toBe(9_999);
  expect(keys.get('k5')).toBeUndefined();
});

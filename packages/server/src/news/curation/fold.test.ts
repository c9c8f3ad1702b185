import { describe, expect, test } from 'bun:test';
import { asEpochMs } from '@tickwire/engine';
import { Fold, type Foldable } from './fold.ts';
import { NewestKeys } from './newest-keys.ts';

const HOUR = 3_600_000;
const item = (id: string, title: string, hour = 0, symbols: string[] = []): Foldable => {
  const at = asEpochMs(1_000_000_000_000 + hour * HOUR);
  return { id, title, source: 'Wire', symbols, publishedAt: at, seenAt: at };
};
const TITLE = 'Central bank leaves policy rate unchanged as expected';

describe('the fold', () => {
  test('finds the earliest of those that tell the same, and no longer the title that was replaced', () => {
    const fold = new Fold();
    fold.put(item('b', TITLE, 2));
    fold.put(item('a', TITLE, 1));
    expect(fold.find(item('c', TITLE, 3))).toMatchObject({ relation: 'same', item: { id: 'a' } });
    fold.put(item('a', 'Something else entirely was said at noon', 1));
    expect(fold.find(item('c', TITLE, 3))).toMatchObject({ item: { id: 'b' } });
    expect(fold.size).toBe(2);
  });

  test('asks for the same instruments and the window', () => {
    const fold = new Fold({ windowMs: HOUR });
    fold.put(item('a', TITLE, 0, ['EURUSD']));
    expect(fold.find(item('b', TITLE, 1, ['EURUSD']))).not.toBeNull();
    expect(fold.find(item('b', TITLE, 1, ['GBPUSD']))).toBeNull();
    expect(fold.find(item('b', TITLE, 1.1, ['EURUSD']))).toBeNull();
  });

  test('forgets the oldest beyond its number and its time, from the index as well', () => {
    const fold = new Fold({ mostItems: 100 });
    for (let n = 0; n < 5_000; n++)
      fold.put(item(`n${n}`, `Word${'abcdefghij'[n % 10]} of day tells story part ${n}`, n / 100));
    expect(fold.size).toBe(100);
    expect(fold.get('n4899')).toBeUndefined();
    expect(fold.get('n4900')).toBeDefined();
    expect(fold.indexed).toBeLessThanOrEqual(100 * 8);
    fold.put(item('late', TITLE, 1_000));
    expect(fold.size).toBe(1);
  });
});

test('a bounded map keeps what is asked for and never more than its bound', () => {
  const keys = new NewestKeys<number>(100);
  keys.set('kept', 1);
  for (let n = 0; n < 10_000; n++) {
    keys.set(`k${n}`, n);
    if (n % 20 === 0) expect(keys.get('kept')).toBe(1);
    expect(keys.size).toBeLessThanOrEqual(100);
  }
  expect(keys.get('k9999')).toBe(9_999);
  expect(keys.get('k5')).toBeUndefined();
});

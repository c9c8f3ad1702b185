import { describe, expect, test } from 'bun:test';
import { chooseSymbols } from './publisher.ts';

describe('the choice of symbols', () => {
  const of = (type: 'forex' | 'crypto' | 'metal', count: number) =>
    Array.from({ length: count }, (_, index) => ({ symbol: `${type}${index}`, type }));

  test('takes one of each type in turn, up to twelve', () => {
    const chosen = chooseSymbols([...of('forex', 15), ...of('metal', 2), ...of('crypto', 8)]);
    expect(chosen).toHaveLength(12);
    expect(chosen.slice(0, 6)).toEqual(['forex0', 'metal0', 'crypto0', 'forex1', 'metal1', 'crypto1']);
    expect(new Set(chosen).size).toBe(12);
  });

  test('takes all instruments if there are fewer', () => {
    expect(chooseSymbols(of('crypto', 3))).toEqual(['crypto0', 'crypto1', 'crypto2']);
    expect(chooseSymbols([])).toEqual([]);
  });
});

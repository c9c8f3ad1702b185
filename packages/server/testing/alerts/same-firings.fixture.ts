import { expect } from 'bun:test';
import type { Judged } from './alert-trial.fixture.ts';

/** The same firings in the same order, and none twice. */
export function sameFirings(judged: readonly Judged[], expected: readonly Judged[]): void {
  const known = (price: number | null, other: number | null): number | null => (Number.isNaN(other) ? null : price);
  const at = judged.findIndex((each, index) => !same(each, expected[index]));
  const first = at < 0 ? Math.min(judged.length, expected.length) : at;
  expect(judged.slice(first, first + 3)).toEqual(expected.slice(first, first + 3) as Judged[]);
  expect(judged.length).toBe(expected.length);
  expect(new Set(judged.map(({ alert, cause }) => `${alert} ${cause}`)).size).toBe(judged.length);

  function same(a: Judged, b: Judged | undefined): boolean {
    if (!b || a.index !== b.index || a.alert !== b.alert || a.cause !== b.cause || a.time !== b.time) return false;
    return known(a.price, b.price) === known(b.price, b.price) || Number.isNaN(b.price);
  }
}

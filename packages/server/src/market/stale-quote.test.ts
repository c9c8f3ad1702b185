import { describe, expect, test } from 'bun:test';
import { CATALOGUE, HOUR_MS } from '@tickwire/engine';
import { FRESH_MS, isOpenMarket, staleAge } from './stale-quote.ts';

const EURUSD = CATALOGUE.find(({ symbol }) => symbol === 'EURUSD')!;
const MONDAY_NOON = Date.UTC(2026, 2, 2, 12);
const SATURDAY_NOON = Date.UTC(2026, 2, 7, 12);

describe('a quote is stale', () => {
  const live = { time: MONDAY_NOON, source: 'venue', restored: false };

  test('if it is older than 60 seconds in an open market', () => {
    expect(staleAge(EURUSD, live, MONDAY_NOON + FRESH_MS, false)).toBeNull();
    expect(staleAge(EURUSD, live, MONDAY_NOON + FRESH_MS + 1, false)).toBe(FRESH_MS + 1);
  });

  test('not in a closed market, unless the market never closes', () => {
    const friday = { ...live, time: SATURDAY_NOON - 15 * HOUR_MS };
    expect(staleAge(EURUSD, friday, SATURDAY_NOON, false)).toBeNull();
    expect(staleAge(EURUSD, friday, SATURDAY_NOON, true)).toBe(15 * HOUR_MS);
  });

  test('by the same hours if it was pushed, except that a pushed tick opens its market', () => {
    const pushed = { ...live, source: 'push:pub_1' };
    expect(staleAge(EURUSD, pushed, MONDAY_NOON + FRESH_MS + 1, false)).toBe(FRESH_MS + 1);
    const weekend = { ...pushed, time: SATURDAY_NOON };
    expect(isOpenMarket(EURUSD, weekend, SATURDAY_NOON + FRESH_MS)).toBe(true);
    expect(isOpenMarket(EURUSD, weekend, SATURDAY_NOON + FRESH_MS + 1)).toBe(false);
    expect(staleAge(EURUSD, weekend, SATURDAY_NOON + HOUR_MS, false)).toBeNull();
  });

  test('if it was restored from the store, at any age and at any hour', () => {
    expect(staleAge(EURUSD, { ...live, restored: true }, MONDAY_NOON + 10, false)).toBe(10);
    expect(staleAge(EURUSD, { ...live, restored: true }, MONDAY_NOON - 10, false)).toBe(0);
    expect(staleAge(EURUSD, { ...live, restored: true }, SATURDAY_NOON, false)).toBe(SATURDAY_NOON - MONDAY_NOON);
  });
});

import { describe, expect, test } from 'bun:test';
import { active, closed, open, TRUSTED, unfilled } from '../../testing/track-records.ts';
import { countedUnits, countingOf, trustedSources } from './ranking-signal.ts';

const OTHER = 'push:pub_other';

describe('what a result counts', () => {
  const sources = (accepted: string, filled: string | null, decided: string) => ({ accepted, filled, decided });

  test('nothing under rules version 1, unfilled, pending, void or with a gap', () => {
    for (const signal of [
      closed(1, { rules: 1 }),
      unfilled(),
      active(closed(1)),
      closed(1, { voided: true }),
      closed(-1, { gap: true }),
    ])
      expect(countingOf(signal, TRUSTED)).toBe('none');
  });

  test('nothing if an untrusted source other than the publisher accepted it', () => {
    expect(countingOf(closed(-1, { sources: sources(OTHER, null, 'sim') }), TRUSTED)).toBe('none');
  });

  test('only losses if the publisher pushed a price', () => {
    const own = 'push:pub_own';
    for (const each of [sources(own, null, 'sim'), sources('sim', own, 'sim'), sources('sim', null, own)])
      expect(countingOf(closed(-1, { sources: each, selfSourced: true }), TRUSTED)).toBe('losses');
  });

  test('only losses if an untrusted source filled or closed it', () => {
    expect(countingOf(closed(1, { sources: sources('sim', OTHER, 'sim') }), TRUSTED)).toBe('losses');
    expect(countingOf(closed(1, { sources: sources('sim', null, OTHER) }), TRUSTED)).toBe('losses');
    expect(countingOf(open(closed(1, { sources: sources('sim', OTHER, 'sim') })), TRUSTED)).toBe('losses');
  });

  test('in full otherwise, open signals included', () => {
    expect(countingOf(closed(1), TRUSTED)).toBe('full');
    expect(countingOf(open(closed(1)), TRUSTED)).toBe('full');
  });

  test('is an integer of 1e-4 R', () => {
    expect(countedUnits(1.2345, 'full')).toBe(12_345);
    expect(countedUnits(1.2345, 'losses')).toBe(0);
    expect(countedUnits(-0.0001, 'losses')).toBe(-1);
    expect(countedUnits(-1, 'none')).toBeNull();
  });
});

describe('trusted sources', () => {
  test('are all but pushed and imported ones by default', () => {
    const isTrusted = trustedSources();
    expect(['sim', 'binance', 'oanda'].map(isTrusted)).toEqual([true, true, true]);
    expect(['push', OTHER, 'import'].map(isTrusted)).toEqual([false, false, false]);
  });

  test('are exactly those of the list if there is one', () => {
    expect(['binance', 'oanda', OTHER].map(trustedSources(['binance']))).toEqual([true, false, false]);
    expect(['push', OTHER, 'sim'].map(trustedSources(['push']))).toEqual([true, true, false]);
    expect([OTHER, 'push:pub_own'].map(trustedSources([OTHER]))).toEqual([true, false]);
  });
});

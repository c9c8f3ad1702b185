import { describe, expect, test } from 'bun:test';
import { active, closed, open, TRUSTED, unfilled } from '../../testing/track-records.ts';
import { countedUnits, countingOf, countingOfMark, trustedSources } from './ranking-signal.ts';

const OTHER = 'push:pub_other';

describe('what a result counts', () => {
  const sources = (accepted: string, filled: string | null, decided: string) => ({ accepted, filled, decided });

  test('nothing if unfilled, pending or void', () => {
    for (const signal of [unfilled(), active(closed(1)), closed(1, { voided: true })])
      expect(countingOf(signal, TRUSTED)).toBe('none');
  });

  test('nothing if an untrusted source other than the publisher accepted it', () => {
    expect(countingOf(closed(-1, { sources: sources(OTHER, null, 'sim') }), TRUSTED)).toBe('none');
  });

  test('only losses with a gap', () => {
    expect(countingOf(closed(-1, { gap: true }), TRUSTED)).toBe('losses');
  });

  test('only losses if the publisher pushed the accepted quote', () => {
    const own = 'push:pub_own';
    const pushed = closed(-1, { sources: sources(own, null, 'sim'), selfSourced: true, acceptedOwn: true });
    for (const isTrusted of [TRUSTED, trustedSources(['sim', own])])
      expect(countingOf(pushed, isTrusted)).toBe('losses');
  });

  test('a whole loss if it was accepted at a trusted price, and filled or closed at one that was pushed', () => {
    const own = 'push:pub_own';
    for (const each of [sources('sim', own, 'sim'), sources('sim', null, own)])
      expect(countingOf(closed(-1, { sources: each, selfSourced: true }), TRUSTED)).toBe('whole_loss');
    for (const each of [sources('sim', OTHER, 'sim'), sources('sim', null, OTHER)]) {
      expect(countingOf(closed(1, { sources: each }), TRUSTED)).toBe('whole_loss');
    }
    const exits = { ...sources('sim', null, 'sim'), exits: [OTHER] };
    expect(countingOf(open(closed(1, { sources: exits })), TRUSTED)).toBe('whole_loss');
  });

  test('a whole loss while the price of an open signal is pushed', () => {
    const mark = { pnlR: 1, rankR: 1, worstR: 0, isTrusted: false };
    expect(countingOfMark(open(closed(1)), mark, TRUSTED)).toBe('whole_loss');
    expect(countingOfMark(open(closed(1)), { ...mark, isTrusted: true }, TRUSTED)).toBe('full');
  });

  test('in full otherwise, open signals included', () => {
    expect(countingOf(closed(1), TRUSTED)).toBe('full');
    expect(countingOf(open(closed(1)), TRUSTED)).toBe('full');
  });

  test('is an integer of 1e-4 R', () => {
    expect(countedUnits(1.2345, 'full')).toBe(12_345);
    expect(countedUnits(1.2345, 'losses')).toBe(0);
    expect(countedUnits(-0.0001, 'losses')).toBe(-1);
    expect([0.5, -0.02, -2].map((r) => countedUnits(r, 'whole_loss'))).toEqual([-10_000, -10_000, -20_000]);
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

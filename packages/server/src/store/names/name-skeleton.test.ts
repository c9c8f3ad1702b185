import { describe, expect, test } from 'bun:test';
import { lookAlike, skeletonsOf } from './name-skeleton.ts';

describe('names that look alike', () => {
  test.each([
    ['Alice', 'alice', 'the same in another case'],
    ['Alice', 'Аlice', 'a Cyrillic А'],
    ['paypal', 'раураl', 'Cyrillic letters'],
    ['Alice', 'AIice', 'a capital I for an l'],
    ['Alice', 'A1ice', 'a one for an l'],
    ['ALICE', 'AL1CE', 'a one for an I'],
    ['Bob', 'B0b', 'a zero for an o'],
    ['modern', 'modem', 'rn for m'],
    ['Omega', 'Οmega', 'a Greek Omicron'],
    ['Ada', 'Ａｄａ', 'full-width letters'],
    ['Ada', 'A\u200bda', 'an invisible character'],
    ['Ada', 'A\u00adda', 'a soft hyphen'],
    ['Ada', 'Ada\u3164', 'a Hangul filler'],
    ['House Trend', 'House  Trend', 'two spaces'],
    ['Ada', '𝐀𝐝𝐚', 'mathematical letters'],
    ['Sophie', 'Sоphіe', 'Cyrillic letters within'],
    ['é', 'e\u0301', 'another encoding'],
  ])('%s and %s: %s', (one, other) => {
    expect([one, other, lookAlike(one, other)]).toEqual([one, other, true]);
  });

  test.each([
    ['Ada', 'Bob'],
    ['Ada', 'Adá'],
    ['trader 12', 'trader 21'],
    ['bench 10', 'bench 11'],
    ['Иван', 'Ivan'],
    ['東京', '京都'],
    ['Sam', 'Pam'],
  ])('%s and %s are different', (one, other) => {
    expect(lookAlike(one, other)).toBe(false);
  });

  test('a skeleton of a skeleton is itself', () => {
    for (const name of ['Alice', 'раураl', 'Ολυμπία', 'Zoë', '東京', '한글', 'm1l0'])
      for (const each of skeletonsOf(name)) expect(skeletonsOf(each)).toEqual([each]);
  });
});

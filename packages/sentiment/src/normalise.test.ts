import { describe, expect, test } from 'bun:test';
import { OTHER } from './markers.ts';
import { MAX_CHARACTERS, normalise } from './normalise.ts';

describe('a normalised text', () => {
  test.each([
    ['unescapes what feeds escape, even twice', 'S&amp;amp;P &#8220;up&#x201D; &lt;b&gt;', 'S&P "up" <b>'],
    ['leaves alone what names no character', '&bogus; &constructor; &#x110000;', '&bogus; &constructor; &#x110000;'],
    ['has plain quotes, dashes and rupees', '‘a’ “b” – c — ₹5', `'a' "b" - c - Rs 5`],
    ['has no links and handles', 'RT @who: up https://t.co/x www.x.y @me', 'up'],
    ['has no listings', 'Acme (NYSE: ACM) up, NASDAQ:XYZ', 'Acme up,'],
    ['has one marker for tickers in a row', '$A, $B $C up', `${OTHER} up`],
    ['keeps amounts of dollars', 'up $5', 'up $5'],
    ['is trimmed of dashes and dots', ' -- up ... now… - ', 'up now'],
    ['is one line', 'a\n\tb\u00a0 c', 'a b c'],
    ['has wide letters as narrow ones', 'Ｇｏｌｄ', 'Gold'],
  ])('%s', (_, raw, expected) => {
    expect(normalise(raw)).toBe(expected);
  });

  test('is cut, but not inside a character', () => {
    expect(normalise('x'.repeat(2 * MAX_CHARACTERS))).toHaveLength(MAX_CHARACTERS);
    expect(normalise(`x${'🚀'.repeat(MAX_CHARACTERS)}`).isWellFormed()).toBe(true);
    expect(normalise('\ufdfa'.repeat(MAX_CHARACTERS)).length).toBeLessThanOrEqual(MAX_CHARACTERS);
  });
});

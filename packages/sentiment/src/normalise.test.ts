import { describe, expect, test } from 'bun:test';
import { OTHER } from './markers.ts';
import { MAX_CHARACTERS, normalise } from './normalise.ts';

describe('normalise', () => {
  test.each([
    ['decodes character references, even if escaped twice', 'S&amp;amp;P &#8220;up&#x201D; &lt;b&gt;', 'S&P "up" <b>'],
    ['keeps unknown character references', '&bogus; &constructor; &#x110000;', '&bogus; &constructor; &#x110000;'],
    ['replaces typographic quotes, dashes and the rupee sign', '‘a’ “b” – c — ₹5', `'a' "b" - c - Rs 5`],
    ['removes links and handles', 'RT @who: up https://t.co/x www.x.y @me', 'up'],
    ['removes exchange listings', 'Acme (NYSE: ACM) up, NASDAQ:XYZ', 'Acme up,'],
    ['replaces consecutive tickers with one marker', '$A, $B $C up', `${OTHER} up`],
    ['keeps dollar amounts', 'up $5', 'up $5'],
    ['removes dashes and dots at the ends', ' -- up ... now… - ', 'up now'],
    ['joins lines', 'a\n\tb\u00a0 c', 'a b c'],
    ['converts full-width letters', 'Ｇｏｌｄ', 'Gold'],
  ])('%s', (_, raw, expected) => {
    expect(normalise(raw)).toBe(expected);
  });

  test('truncates without splitting a character', () => {
    expect(normalise('x'.repeat(2 * MAX_CHARACTERS))).toHaveLength(MAX_CHARACTERS);
    expect(normalise(`x${'🚀'.repeat(MAX_CHARACTERS)}`).isWellFormed()).toBe(true);
    expect(normalise('\ufdfa'.repeat(MAX_CHARACTERS)).length).toBeLessThanOrEqual(MAX_CHARACTERS);
  });
});

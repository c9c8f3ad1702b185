import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { plainText } from './plain-text.ts';

describe('plain text', () => {
  test.each([
    ['Gold rises 0.8% to 3,842', 'Gold rises 0.8% to 3,842'],
    ['  Gold\n\trises\u00a0 again ', 'Gold rises again'],
    ['<b>Gold</b> rises<br>again', 'Gold rises again'],
    ['Fed&#8217;s cut &amp; the S&amp;P 500', 'Fed’s cut & the S&P 500'],
    ['AT&T, R&D; &notaname; stays', 'AT&T, R&D; &notaname; stays'],
    ['Caf\u0065\u0301 index', 'Caf\u00e9 index'],
    ['&#150; dash of Windows &#x80;5', '– dash of Windows €5'],
    ['&#xd800;a&#0;b&#1114112;c&#99999999999;d&#x81;', 'abcd'],
    ['&#8220AT&T&#8221 &frac12; &NotEqualTilde; &notin &lte;', '“AT&T” ½ ≂̸ &notin &lte;'],
    ['Fed says "no" to \'early\' cut', 'Fed says “no” to ‘early’ cut'],
    ['EUR/USD < 1.05 > 1.04', 'EUR/USD ‹ 1.05 › 1.04'],
    ['<![CDATA[Gold <i>up</i>]]>', 'Gold up'],
  ])('%p becomes %p', (raw, plain) => {
    expect(plainText(raw)).toBe(plain);
  });

  test.each([
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '<SCRIPT>alert(1)</ScRiPt >',
    '<script>alert(1)',
    '<style>body{}</style>',
    '<!-- hidden -->',
    '<svg onload=alert(1)>x</svg>',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '&amp;lt;script&amp;gt;alert(1)&amp;lt;/script&amp;gt;',
    '&amp;amp;amp;amp;lt;script&amp;amp;amp;amp;gt;alert(1)&amp;amp;amp;amp;lt;/script>',
    '&#60;script&#62;alert(1)&#60;/script&#62;',
    '&#x3cscript&#x3ealert(1)&#x3c/script&#x3e',
    '&ltscript&gtalert(1)&lt/script&gt',
    '<\u200bscript>alert(1)</script>',
    '<a title=">" href="javascript:alert(1)">',
    '\u202e\u2066\u200b\ufeff\u00ad\u{e0041}\u3164\u0000\u001b',
  ])('%p becomes empty', (raw) => {
    expect(plainText(raw)).toBe('');
  });

  test('removes overrides, isolates, zero-width and control characters, but not the text between them', () => {
    expect(plainText('Go\u200bld \u202efalls\u202c \u2066now\u2069\u0007\u001b[31m')).toBe('Gold falls now[31m');
    expect(plainText(`Zalgo${'\u0301'.repeat(50)}`)).toHaveLength(8);
    expect(plainText('half \ud800 pair')).toBe('half pair');
  });

  test('cuts at a word to 300 code points and adds an ellipsis', () => {
    const cut = plainText('gold rises '.repeat(100));
    expect([...cut].length).toBeLessThanOrEqual(300);
    expect(cut).toEndWith('rises…');
    expect([...plainText('🥇'.repeat(1_000))]).toHaveLength(300);
  });

  test('reads only the start of ten megabytes', () => {
    expect(plainText(`${'<br>'.repeat(1_000)}gold`)).toBe('gold');
    expect(plainText(`${'<br>'.repeat(3_000_000)}gold`)).toBe('');
    for (const unit of ['a', '<a "', '&amp;', '<', '<script', 'a=">"', '\u0301', '&lt;b&gt;', '<!--', '< a']) {
      const raw = unit.repeat(Math.ceil(10_000_000 / unit.length));
      expect([...plainText(raw)].length).toBeLessThanOrEqual(300);
    }
  });

  test('never returns markup, straight quotes or invisible characters, and is idempotent', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '<',
        '>',
        '&',
        ';',
        'lt',
        'amp',
        '#60',
        '#x3c',
        'script',
        '/',
        '"',
        "'",
        '<!--',
        '-->',
        '\u202e',
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const plain = plainText(pieces.join(''));
        expect(plain).not.toMatch(/[<>"']/);
        expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
        expect(plain).not.toMatch(/&(?:lt|gt|amp|quot|#0*60|#x0*3c);/i);
        expect(plain).toBe(plain.normalize('NFC').trim());
        expect(plainText(plain)).toBe(plain);
      }),
      { numRuns: 2_000 },
    );
  });
});

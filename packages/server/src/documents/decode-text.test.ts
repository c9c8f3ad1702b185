import { describe, expect, test } from 'bun:test';
import { undeclaredFeed as feed } from '../../testing/news/undeclared-feed.fixture.ts';
import { decodeText } from './decode-text.ts';

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const declaration = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?>`;

describe('the charset of a feed', () => {
  test('follows the byte order mark first', () => {
    const marked = bytes([0xef, 0xbb, 0xbf], [0xe2, 0x82, 0xac]);
    expect(decodeText(marked, 'text/xml; charset=iso-8859-1')).toEqual({ text: '€', encoding: 'utf-8' });
    expect(decodeText(bytes([0xff, 0xfe, 0xac, 0x20]), null)).toEqual({ text: '€', encoding: 'utf-16le' });
    expect(decodeText(bytes([0xfe, 0xff, 0x20, 0xac]), null)).toEqual({ text: '€', encoding: 'utf-16be' });
  });

  test('is UTF-16 if the zero bytes show it, even without a byte order mark', () => {
    expect(decodeText(Buffer.from('<a>é</a>', 'utf16le'), null).text).toBe('<a>é</a>');
    expect(decodeText(Buffer.from('<a>é</a>', 'utf16le').swap16(), null).text).toBe('<a>é</a>');
  });

  test.each([
    ['text/xml; charset=iso-8859-1', [0xe9], 'é'],
    ['text/xml; charset="WINDOWS-1252"', [0x80], '€'],
    ['text/xml;charset=koi8-r', [0xf0], 'П'],
    ["application/xml; Charset = 'shift_jis'", [0x93, 0xfa], '日'],
    ['text/xml; charset=gb2312', [0xc4, 0xe3], '你'],
    ['text/xml; charset=euc-kr', [0xc7, 0xd1], '한'],
    ['text/xml; charset=iso-8859-2', [0xb1], 'ą'],
  ])('is read from %s', (contentType, content, text) => {
    expect(decodeText(bytes(content), contentType).text).toBe(text);
  });

  test('is read from the XML declaration if the header names none', () => {
    const xml = bytes(declaration('ISO-8859-15'), [0xa4]);
    expect(decodeText(xml, 'text/xml')).toEqual({ text: `${declaration('ISO-8859-15')}€`, encoding: 'iso-8859-15' });
  });

  test('prefers the header to the XML declaration', () => {
    expect(decodeText(bytes(declaration('koi8-r'), [0xe0]), 'text/xml; charset=windows-1251').text).toEndWith('а');
  });

  test('defaults to UTF-8, or windows-1252 if the bytes are not UTF-8', () => {
    expect(decodeText(utf8('Zürich €'), null)).toEqual({ text: 'Zürich €', encoding: 'utf-8' });
    expect(decodeText(bytes('Z', [0xfc], 'rich ', [0x80]), null)).toEqual({
      text: 'Zürich €',
      encoding: 'windows-1252',
    });
  });

  test('is UTF-8 if a single-byte charset is declared but the bytes are UTF-8', () => {
    expect(decodeText(utf8('Zürich'), 'text/xml; charset=iso-8859-1').text).toBe('Zürich');
    expect(decodeText(utf8(`${declaration('windows-1252')}Zürich`), null).text).toEndWith('Zürich');
  });

  test('ignores a wrong UTF-8 header in favour of the XML declaration, then windows-1252', () => {
    const header = 'text/xml; charset=utf-8';
    expect(decodeText(bytes(declaration('iso-8859-2'), [0xb1]), header).text).toEndWith('ą');
    expect(decodeText(bytes([0xe9, 0x20]), header).text).toBe('é ');
  });

  test('ignores a wrong UTF-16 declaration', () => {
    expect(decodeText(utf8(`${declaration('utf-16')}é`), null).text).toEndWith('é');
  });

  test.each(['utf-7', 'ebcdic', 'hz-gb-2312', 'none', 'x'.repeat(1_000)])(
    'passes over %s, which nobody here can read',
    (charset) => {
      expect(decodeText(utf8('Zürich'), `text/xml; charset=${charset}`)).toEqual({ text: 'Zürich', encoding: 'utf-8' });
    },
  );
});

describe('UTF-32', () => {
  const utf32 = (text: string, littleEndian: boolean): Uint8Array => {
    const points = [...text];
    const view = new DataView(new ArrayBuffer(points.length * 4));
    for (const [index, point] of points.entries()) view.setUint32(index * 4, point.codePointAt(0)!, littleEndian);
    return new Uint8Array(view.buffer);
  };
  const text = '<?xml version="1.0" encoding="UTF-32"?><title>Gold 金 🚀</title>';

  test.each([
    ['utf-32le', true],
    ['utf-32be', false],
  ])('is read with and without a byte order mark: %s', (encoding, littleEndian) => {
    for (const mark of ['\ufeff', '', '\n'])
      expect(decodeText(utf32(mark + text, littleEndian), 'text/xml; charset=utf-8')).toEqual({
        text: mark.replace('\ufeff', '') + text,
        encoding,
      });
  });

  test('invalid code points are replaced, and an incomplete one is dropped', () => {
    const content = Buffer.concat([utf32('<a', true), Buffer.from([0, 0, 0x11, 0, 0, 0xd8, 0, 0, 0x3e])]);
    expect(decodeText(content, null)).toEqual({ text: '<a\ufffd\ufffd', encoding: 'utf-32le' });
  });
});

describe('contradictions', () => {
  const russian = Buffer.from('x+7r7vLuIOTu8O7m4OXyIO3gIPTu7eUg7vHr4OHr5e3o/yDk7uvr4PDg', 'base64');

  test('a byte order mark of UTF-8 before bytes that are not UTF-8 is ignored', () => {
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), feed(russian)]);
    expect(decodeText(marked, null)).toEqual({
      text: expect.stringMatching(/^<\?xml[\s\S]*Золото дорожает/),
      encoding: 'windows-1251',
    });
    const declared = bytes([0xef, 0xbb, 0xbf], declaration('iso-8859-2'), [0xb1, 0x20]);
    expect(decodeText(declared, null).text).toBe(`${declaration('iso-8859-2')}ą `);
  });

  test('a byte order mark of UTF-16 before text in bytes is ignored', () => {
    expect(decodeText(bytes([0xff, 0xfe], '<rss>é</rss>'), null).text).toBe('<rss>é</rss>');
    expect(decodeText(bytes([0xfe, 0xff], '<rss>é</rss>'), null).text).toBe('<rss>é</rss>');
  });

  test('if header and XML declaration differ, the bytes decide between them', () => {
    const koi8 = Buffer.from('+s/Mz9TPIMTP0s/WwcXUIM7BIMbPzsUgz9PMwcLMxc7J0SDEz8zMwdLB', 'base64');
    const [one, other] = [declaration('windows-1251'), declaration('koi8-r')];
    const read = (first: string, title: Uint8Array, charset: string): string =>
      decodeText(Buffer.concat([Buffer.from(first), title]), `text/xml; charset=${charset}`).text;
    expect(read(other, koi8, 'windows-1251')).toEndWith('Золото дорожает на фоне ослабления доллара');
    expect(read(one, koi8, 'koi8-r')).toEndWith('Золото дорожает на фоне ослабления доллара');
    expect(read(one, russian, 'koi8-r')).toEndWith('Золото дорожает на фоне ослабления доллара');
  });

  test('UTF-8 declared as an East Asian charset is UTF-8', () => {
    const title = '人民币对美元汇率中间价上调，黄金价格再创历史新高';
    for (const charset of ['gb2312', 'big5', 'shift_jis', 'euc-kr'])
      expect(decodeText(feed(utf8(title)), `text/xml; charset=${charset}`)).toEqual({
        text: expect.stringContaining(title),
        encoding: 'utf-8',
      });
  });

  test('a character cut in the middle does not spoil a feed in UTF-8', () => {
    const cut = Buffer.concat([utf8('Золото дорожает на фоне ослабления доллара'), Buffer.from([0xd0])]);
    for (const contentType of [null, 'text/xml; charset=utf-8', 'text/xml; charset=windows-1251'])
      expect(decodeText(feed(cut), contentType)).toEqual({
        text: expect.stringContaining('<title>Золото дорожает на фоне ослабления доллара\ufffd</title>'),
        encoding: 'utf-8',
      });
  });

  test.each([
    ['gb18030', 'yMvD8bHSttTDwNSqu+PCytbQvOS828nPtfcgfCC7xr3wvNu48dTZtLTA+sq30MK43w==', '黄金价格再创历史新高'],
    ['shift_jis', 'k/qL4oFBkK2N9Ivgl5iC8JCYgqaSdYKrIIl+iMCCqpBpjXM=', '政策金利を据え置き 円安が進行'],
    ['euc-kr', 'x9GxucC6x+AsILHiwdix3biuILW/sOEgsOHBpCB8ILHdsKogu+e78yDD1rDtxKEgsOa9xQ==', '금값 사상 최고치 경신'],
  ])('nor one in %s, declared or not', (encoding, base64, end) => {
    const cut = Buffer.concat([Buffer.from(base64, 'base64'), Buffer.from([0xb0])]);
    for (const contentType of [`text/xml; charset=${encoding}`, null]) {
      const decoded = decodeText(feed(cut), contentType);
      expect(decoded.encoding).toBe(encoding);
      expect(decoded.text).toMatch(new RegExp(`${end}.?</title>`));
    }
    expect(decodeText(feed('\xe9t\xe9 \xe0 Gen\xe8ve'), `text/xml; charset=${encoding}`).encoding).toBe('windows-1252');
  });

  test('windows-1252 quotes within UTF-8 are read', () => {
    const mixed = feed(utf8('Zürich – Genève: €5bn'), 'Fed\x92s Powell, \xa35bn');
    expect(decodeText(mixed, 'text/xml; charset=utf-8').text).toMatch(/Zürich – Genève: €5bn[\s\S]*Fed’s Powell, £5bn/);
  });

  test('a declared single-byte charset keeps its letters though a pair of them is valid UTF-8', () => {
    // C5 BC is ż in UTF-8.
    const polish = bytes(declaration('iso-8859-2'), 'Z\xb3oto osi\xb1gn\xea\xb3o rekordow\xb1 cen\xea \xc5\xbc');
    expect(decodeText(polish, null)).toMatchObject({ encoding: 'iso-8859-2' });
  });
});

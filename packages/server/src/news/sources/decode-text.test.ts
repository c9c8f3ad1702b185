import { describe, expect, test } from 'bun:test';
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

  test.each(['utf-7', 'utf-32', 'ebcdic', 'hz-gb-2312', 'none', 'x'.repeat(1_000)])(
    'passes over %s, which nobody here can read',
    (charset) => {
      expect(decodeText(utf8('Zürich'), `text/xml; charset=${charset}`)).toEqual({ text: 'Zürich', encoding: 'utf-8' });
    },
  );
});

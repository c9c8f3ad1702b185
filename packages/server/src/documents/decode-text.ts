// Decodes the bytes of a feed to text. The declared charset is often wrong, so declarations are tried in order of priority
// and discarded if the bytes contradict them.
//
// TextDecoder supports every encoding of the WHATWG standard except `replacement`: UTF-8, UTF-16, the ISO 8859 and Windows
// families, KOI8, Macintosh, GBK, GB 18030, Big5, EUC-JP, ISO-2022-JP, Shift_JIS, EUC-KR. UTF-32 is decoded here.
// Declarations of other encodings (UTF-7, HZ, EBCDIC) are skipped.
import { detectCharset } from './detect-charset.ts';

/** The XML declaration is in the first bytes, and in ASCII for every encoding without a byte order mark except UTF-16. */
const DECLARATION_BYTES = 1_024;
const SINGLE_BYTE = /^(windows-|iso-8859-|koi8-|ibm866|macintosh|x-mac-)/;
const EAST_ASIAN = /^(gb|big5|euc-|shift_jis)/;
/** A few characters of an East Asian charset may be valid UTF-8 by accident; this many bytes are not. */
const MIN_UTF8_BYTES = 24;
/** Share of the characters above ASCII. */
const MAX_INVALID = 0.05;
/** In text with one character per byte. */
const SINGLE_BYTES = /(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])/g;
/** The bytes from 0x80 on, each as the bytes of its character in UTF-8. */
const WINDOWS_1252_IN_UTF8 = Array.from({ length: 128 }, (_, index) =>
  Buffer.from(new TextDecoder('windows-1252').decode(Uint8Array.of(0x80 + index)), 'utf8').toString('latin1'),
);
const ESCAPE = 0x1b;
const SURROGATES = { first: 0xd800, last: 0xdfff };
const LAST_CODE_POINT = 0x10ffff;

export interface DecodedText {
  readonly text: string;
  /** The standard name: `windows-1252` for `latin1`. */
  readonly encoding: string;
}

export function decodeText(bytes: Uint8Array, contentType: string | null): DecodedText {
  const wide = wideEncoding(bytes);
  if (wide) return decodeWide(bytes, wide);
  // A byte order mark before bytes of another encoding is ignored.
  const content = hasUtf8Mark(bytes) ? bytes.subarray(3) : hasUtf16Mark(bytes) ? bytes.subarray(2) : bytes;
  const utf8 = decodeUtf8(content);
  if (utf8 && hasUtf8Mark(bytes)) return utf8;
  const escaped = content.includes(ESCAPE) ? decodeStrictly('iso-2022-jp', content) : null;
  if (escaped && /[\u3040-\u30ff\u4e00-\u9fff]/.test(escaped.text)) return escaped;
  const detected = utf8 ? null : detectCharset(content);
  const declared = [charsetOf(contentType), charsetOfXml(content)]
    .map((charset) => charset && decode(charset, content))
    .filter((decoded) => !!decoded);
  // If the header and the XML declaration differ, the bytes decide. KOI8-U is detected for both forms of KOI8.
  const confirmed = declared.find(({ encoding }) => encoding.replace('koi8-r', 'koi8-u') === detected);
  if (confirmed) return confirmed;
  for (const decoded of declared) {
    // UTF-8 declared as another charset is common; other text that is valid UTF-8 by accident is very rare.
    if (utf8 && SINGLE_BYTE.test(decoded.encoding)) return utf8;
    if (utf8 && EAST_ASIAN.test(decoded.encoding) && countUtf8(content).valid >= MIN_UTF8_BYTES) return utf8;
    // Bytes without zeros are not UTF-16.
    if (decoded.encoding.startsWith('utf-16') && !content.includes(0)) continue;
    // Servers declare ISO 8859-1, which is windows-1252, by default.
    if (decoded.encoding === 'windows-1252' && detected) continue;
    return decoded;
  }
  return (
    utf8 ??
    (detected ? decode(detected, content) : null) ?? {
      text: new TextDecoder('windows-1252').decode(content),
      encoding: 'windows-1252',
    }
  );
}

type WideEncoding = 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/** By the byte order mark, or the zero bytes next to the first character: `<`, `{` or white space. */
function wideEncoding(bytes: Uint8Array): WideEncoding | null {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  if (bytes.length < 2) return null;
  if (b === 0 && c === 0 && d === 0 && isFirst(a)) return 'utf-32le';
  if (a === 0 && b === 0 && c === 0 && isFirst(d)) return 'utf-32be';
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return 'utf-32le';
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'utf-32be';
  if (hasUtf16Mark(bytes)) return isPrintable(c) && isPrintable(d) ? null : a === 0xff ? 'utf-16le' : 'utf-16be';
  if (isFirst(a) && b === 0 && c !== 0 && d === 0) return 'utf-16le';
  if (a === 0 && isFirst(b) && c === 0 && d !== 0) return 'utf-16be';
  return null;
}

const hasUtf8Mark = ([a, b, c]: Uint8Array): boolean => a === 0xef && b === 0xbb && c === 0xbf;
const hasUtf16Mark = ([a, b]: Uint8Array): boolean => (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
const isFirst = (byte: number): boolean => [0x3c, 0x7b, 0x20, 0x0a, 0x0d, 0x09].includes(byte);
const isPrintable = (byte: number): boolean => (byte > 0x20 && byte < 0x7f) || isFirst(byte);

function decodeWide(bytes: Uint8Array, encoding: WideEncoding): DecodedText {
  if (encoding === 'utf-16le' || encoding === 'utf-16be')
    return { text: new TextDecoder(encoding).decode(bytes), encoding };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const units = new Uint16Array((bytes.byteLength >> 2) * 2);
  let length = 0;
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) {
    const read = view.getUint32(at, encoding === 'utf-32le');
    const isValid = read <= LAST_CODE_POINT && (read < SURROGATES.first || read > SURROGATES.last);
    const code = isValid ? read : 0xfffd;
    if (code > 0xffff) units[length++] = 0xd7c0 + (code >> 10);
    units[length++] = code > 0xffff ? 0xdc00 + (code & 0x3ff) : code;
  }
  return { text: new TextDecoder('utf-16le').decode(units.subarray(0, length)), encoding };
}

/**
 * UTF-8, also if a few bytes are not: publishers cut a text within a character, or mix in windows-1252. One such byte must
 * not spoil the whole feed. A single byte above ASCII between ASCII is windows-1252; other invalid bytes become U+FFFD.
 */
function decodeUtf8(bytes: Uint8Array): DecodedText | null {
  const strict = decodeStrictly('utf-8', bytes);
  if (strict) return strict;
  const { valid, single, broken } = countUtf8(bytes);
  if (valid < single || valid < 9 * broken) return null;
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const repaired = latin1.replace(SINGLE_BYTES, (byte) => WINDOWS_1252_IN_UTF8[byte.charCodeAt(0) - 0x80]!);
  return { text: new TextDecoder('utf-8').decode(Buffer.from(repaired, 'latin1')), encoding: 'utf-8' };
}

/** Numbers of bytes above ASCII: in sequences of UTF-8, single between ASCII, and neither. */
function countUtf8(bytes: Uint8Array): { valid: number; single: number; broken: number } {
  const counts = { valid: 0, single: 0, broken: 0 };
  const isAbove = (at: number): boolean => (bytes[at] ?? 0) >= 0x80;
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at]!;
    if (lead < 0x80) continue;
    const length = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    let next = at + 1;
    while (next < at + length && (bytes[next]! & 0xc0) === 0x80) next++;
    if (length > 0 && next === at + length) {
      counts.valid += length;
      at = next - 1;
    } else if (isAbove(at - 1) || isAbove(at + 1)) counts.broken++;
    else counts.single++;
  }
  return counts;
}

/** East Asian text may have a few invalid bytes, such as a character cut in the middle; they become U+FFFD. */
function decode(label: string, bytes: Uint8Array): DecodedText | null {
  const strict = decodeStrictly(label, bytes);
  // Of an unknown label, not even the empty text can be decoded.
  const encoding = strict?.encoding ?? decodeStrictly(label, new Uint8Array())?.encoding ?? '';
  if (strict || !EAST_ASIAN.test(encoding)) return strict;
  const text = new TextDecoder(encoding as Bun.Encoding).decode(bytes);
  const invalid = text.split('\ufffd').length - 1;
  return invalid <= MAX_INVALID * text.replace(/[\0-\x7f]+/g, '').length ? { text, encoding } : null;
}

function decodeStrictly(label: string, bytes: Uint8Array): DecodedText | null {
  try {
    const decoder = new TextDecoder(label as Bun.Encoding, { fatal: true });
    return { text: decoder.decode(bytes), encoding: decoder.encoding };
  } catch {
    return null;
  }
}

const charsetOf = (contentType: string | null): string | null =>
  /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1] ?? null;

function charsetOfXml(bytes: Uint8Array): string | null {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, DECLARATION_BYTES));
  return /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(head)?.[1] ?? null;
}

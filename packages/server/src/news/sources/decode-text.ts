// Decodes the bytes of a feed to text. The declared charset is often wrong, so declarations are tried in order of priority
// and discarded if the bytes contradict them.
//
// TextDecoder supports every encoding of the WHATWG standard except `replacement`: UTF-8, UTF-16, the ISO 8859 and Windows
// families, KOI8, Macintosh, GBK, GB 18030, Big5, EUC-JP, ISO-2022-JP, Shift_JIS, EUC-KR. Declarations of other encodings
// (UTF-7, UTF-32, HZ, EBCDIC) are skipped.

/** The XML declaration is in the first bytes, and in ASCII for every encoding without a byte order mark except UTF-16. */
const DECLARATION_BYTES = 1_024;
const SINGLE_BYTE = /^(windows-|iso-8859-|koi8-|ibm866|macintosh|x-mac-)/;

export interface DecodedText {
  readonly text: string;
  /** The standard name: `windows-1252` for `latin1`. */
  readonly encoding: string;
}

export function decodeText(bytes: Uint8Array, contentType: string | null): DecodedText {
  const detected = detectUnicode(bytes);
  if (detected) return { text: new TextDecoder(detected).decode(bytes), encoding: detected };
  const utf8 = decodeStrictly('utf-8', bytes);
  for (const charset of [charsetOf(contentType), charsetOfXml(bytes)]) {
    const decoded = charset === null ? null : decodeStrictly(charset, bytes);
    if (!decoded) continue;
    // UTF-8 declared as a single-byte charset is common; single-byte text that is valid UTF-8 by accident is very rare.
    if (utf8 && SINGLE_BYTE.test(decoded.encoding)) return utf8;
    // Bytes without zeros are not UTF-16.
    if (decoded.encoding.startsWith('utf-16') && !bytes.includes(0)) continue;
    return decoded;
  }
  return utf8 ?? { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
}

/** By the byte order mark, or the zero bytes of UTF-16 next to the first `<`. */
function detectUnicode(bytes: Uint8Array): string | null {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0x3c && b === 0 && c !== 0 && d === 0) return 'utf-16le';
  if (a === 0 && b === 0x3c && c === 0 && d !== 0) return 'utf-16be';
  return null;
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

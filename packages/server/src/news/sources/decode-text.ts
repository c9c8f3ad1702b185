// Bytes to text. What a publisher says about its charset is often wrong, so claims are tried in the order of their weight
// and the bytes have the last word.
//
// The runtime's TextDecoder has every encoding of the WHATWG standard but `replacement`: UTF-8, UTF-16, the ISO 8859 and
// Windows families, KOI8, Macintosh, GBK, GB 18030, Big5, EUC-JP, ISO-2022-JP, Shift_JIS, EUC-KR. Others (UTF-7, UTF-32,
// HZ, EBCDIC) are claims that cannot be followed: the next one counts.

/** An XML declaration stands in the first bytes, in ASCII for every encoding without a byte order mark but UTF-16. */
const DECLARATION_BYTES = 1_024;
const SINGLE_BYTE = /^(windows-|iso-8859-|koi8-|ibm866|macintosh|x-mac-)/;

export interface DecodedText {
  readonly text: string;
  /** As the standard names it: `windows-1252` for a claim of `latin1`. */
  readonly encoding: string;
}

export function decodeText(bytes: Uint8Array, contentType: string | null): DecodedText {
  const marked = byBytes(bytes);
  if (marked) return { text: new TextDecoder(marked).decode(bytes), encoding: marked };
  const utf8 = strictly('utf-8', bytes);
  for (const claim of [charsetOf(contentType), declared(bytes)]) {
    const claimed = claim === null ? null : strictly(claim, bytes);
    if (!claimed) continue;
    // Text in a one-byte charset is hardly ever valid UTF-8 by accident; UTF-8 under such a claim is common.
    if (utf8 && SINGLE_BYTE.test(claimed.encoding)) return utf8;
    // Bytes without zeros are not UTF-16, whatever was claimed.
    if (claimed.encoding.startsWith('utf-16') && !bytes.includes(0)) continue;
    return claimed;
  }
  return utf8 ?? { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
}

/** A byte order mark, or the zeros of UTF-16 around the first `<`. */
function byBytes(bytes: Uint8Array): string | null {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0x3c && b === 0 && c !== 0 && d === 0) return 'utf-16le';
  if (a === 0 && b === 0x3c && c === 0 && d !== 0) return 'utf-16be';
  return null;
}

function strictly(label: string, bytes: Uint8Array): DecodedText | null {
  try {
    const decoder = new TextDecoder(label as Bun.Encoding, { fatal: true });
    return { text: decoder.decode(bytes), encoding: decoder.encoding };
  } catch {
    return null;
  }
}

const charsetOf = (contentType: string | null): string | null =>
  /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1] ?? null;

function declared(bytes: Uint8Array): string | null {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, DECLARATION_BYTES));
  return /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(head)?.[1] ?? null;
}

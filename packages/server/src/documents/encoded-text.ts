// Decodes text that a publisher has put into base64 (Atom 0.3) or into the encoded words of e-mail (RFC 2047).
import { decodeText } from './decode-text.ts';

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const ENCODED_WORD = /=\?([\w.:-]{1,40})(?:\*[\w-]{1,20})?\?([bq])\?([^?\s]*)\?=(?:\s+(?==\?))?/gi;
/** Control characters, other than white space, and bytes that cannot be decoded. */
const NOT_TEXT = /[^\P{Cc}\t\n\r]|\ufffd/u;

/** `null` if it is not base64 of text. */
export function decodeBase64(encoded: string): string | null {
  const compact = encoded.replace(/\s+/g, '');
  if (!BASE64.test(compact) || compact.replace(/=+$/, '').length % 4 === 1) return null;
  const { text } = decodeText(Buffer.from(compact, 'base64'), null);
  return NOT_TEXT.test(text) ? null : text;
}

/** A word in an unknown charset stays as it is. */
export function decodeEncodedWords(text: string): string {
  if (!text.includes('=?')) return text;
  return text.replace(ENCODED_WORD, (word, charset: string, kind: string, content: string) => {
    const bytes = kind.toLowerCase() === 'b' ? Buffer.from(content, 'base64') : quotedBytes(content);
    try {
      return new TextDecoder(charset as Bun.Encoding, { fatal: true }).decode(bytes);
    } catch {
      return word;
    }
  });
}

function quotedBytes(content: string): Uint8Array {
  const latin1 = content
    .replaceAll('_', ' ')
    .replace(/=([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(latin1, 'latin1');
}

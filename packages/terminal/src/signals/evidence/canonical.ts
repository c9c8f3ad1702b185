// The canonical text of a record, and its hash. Implemented from docs/reference/signals.md, so that the service does not check itself:
// RFC 8785 sorts members by name, has no white space, and writes numbers and strings as ECMAScript does.

/** Records are parsed JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = value as { readonly [name: string]: Json };
  // The default order is by UTF-16 code units, as the RFC requires.
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(members[name] ?? null)}`).join(',')}}`;
}

/** SHA-256 of the UTF-8 bytes, in hex. */
export async function sha256Hex(text: string, subtle: SubtleCrypto): Promise<string> {
  return hex(new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

export const recordHash = (record: object, subtle: SubtleCrypto): Promise<string> =>
  sha256Hex(canonicalText(record as Json), subtle);

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** `null` if it is not hex. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

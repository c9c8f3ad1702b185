// Canonical JSON (RFC 8785): one text for one value, so that a hash of it means the same everywhere. Members are sorted by
// the UTF-16 code units of their names; numbers and strings are written as ECMAScript writes them, which is what the RFC asks.

/** Members that are undefined are left out, as JSON does; anything else that JSON cannot say is refused. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError('canonical JSON has no NaN or Infinity');
  if (typeof value === 'string' && !value.isWellFormed()) throw new TypeError('canonical JSON has no lone surrogates');
  if (value === null || typeof value !== 'object') {
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined) throw new TypeError(`canonical JSON has no ${typeof value}`);
    return text;
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

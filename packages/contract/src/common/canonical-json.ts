// Canonical JSON (RFC 8785): exactly one text per value, so that its hash is reproducible. Members are sorted by the UTF-16
// code units of their names; numbers and strings are serialized as in ECMAScript, which the RFC requires.

/** Omits undefined members, as JSON does. Throws a TypeError for any other value that JSON cannot represent. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError('canonical JSON cannot represent NaN or Infinity');
  if (typeof value === 'string' && !value.isWellFormed())
    throw new TypeError('canonical JSON cannot represent lone surrogates');
  if (value === null || typeof value !== 'object') {
    const json: string | undefined = JSON.stringify(value);
    if (json === undefined) throw new TypeError(`canonical JSON cannot represent ${typeof value}`);
    return json;
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

// Canonical JSON (RFC 8785): exactly one text per value, so that its hash is reproducible. Members are sorted by the UTF-16
// code units of their names; numbers and strings are serialized as in ECMAScript, which the RFC requires.

/** Omits undefined members, as JSON does. Throws a TypeError for any other value that JSON cannot represent. */
export function canonicalJson(value: unknown): string {
  const copy = inOrder(value);
  if (copy === undefined) return serialize(value);
  const json = JSON.stringify(copy);
  // The escape of a lone surrogate, or text that looks like it.
  return json.includes('\\ud') ? serialize(value) : json;
}

/**
 * A copy whose members are in canonical order, for JSON.stringify, which is several times as fast as `serialize`. `undefined` if there
 * is none, or if JSON cannot represent the value.
 */
function inOrder(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'object') return undefined;
  if (Array.isArray(value)) {
    const items = value.map(inOrder);
    return items.includes(undefined) ? undefined : items;
  }
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    const ordered = inOrder(member);
    if (ordered === undefined || UNORDERED.test(name)) return undefined;
    copy[name] = ordered;
  }
  return copy;
}

/** Names that an object does not keep where they are set: those of array elements come first. */
const UNORDERED = /^(?:\d+|__proto__)$/;

/** Any value, member by member. */
function serialize(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError('canonical JSON cannot represent NaN or Infinity');
  if (typeof value === 'string' && !value.isWellFormed())
    throw new TypeError('canonical JSON cannot represent lone surrogates');
  if (value === null || typeof value !== 'object') {
    const json: string | undefined = JSON.stringify(value);
    if (json === undefined) throw new TypeError(`canonical JSON cannot represent ${typeof value}`);
    return json;
  }
  if (Array.isArray(value)) return `[${value.map(serialize).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${serialize(name)}:${serialize(member)}`);
  return `{${members.join(',')}}`;
}

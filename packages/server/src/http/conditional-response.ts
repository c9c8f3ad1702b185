// Responses with an ETag (RFC 9110, sections 8.8.3 and 13.1.2): a client that sends the current tag in If-None-Match gets a
// 304 without a body. Tags are strong, so each compressed form of a response has a separate one.

export type Bytes = Uint8Array<ArrayBuffer>;

/** A body whose version the client can name. */
export interface TaggedBody {
  readonly body: string | Bytes;
  /** Without quotes; letters, digits and dashes only. */
  readonly tag: string;
  /** The body in gzip, if compression is worth it. */
  readonly gzip?: () => Bytes;
  /** The body in Brotli: smaller than in gzip, for bodies that are compressed once. */
  readonly brotli?: () => Bytes;
}

/** The form of a body that fits the request. */
export interface SelectedRepresentation {
  /** `null`: the client has the current version. */
  readonly body: string | Bytes | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** A response that never changes, compressed on first use. */
export function staticResponse(body: string | Bytes): TaggedBody {
  return { body, tag: Bun.hash(body).toString(36), gzip: once(() => Bun.gzipSync(body)) };
}

/** Computes the value on the first call and returns it again on later calls. */
export function once<T>(compute: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}

export function selectRepresentation(
  { body, tag, gzip, brotli }: TaggedBody,
  request: Headers,
): SelectedRepresentation {
  const forms: Partial<Record<Coding, () => Bytes>> = { ...(brotli && { br: brotli }), ...(gzip && { gzip }) };
  const codings = Object.keys(forms) as Coding[];
  const coding = codings.length === 0 ? null : acceptedCoding(request.get('accept-encoding'), codings);
  const etag = `"${tag}${coding === null ? '' : `-${coding}`}"`;
  const fresh = matchesEtag(request.get('if-none-match'), etag);
  const headers: Record<string, string> = { ETag: etag };
  if (codings.length > 0) headers.Vary = 'Accept-Encoding';
  if (coding !== null && !fresh) headers['Content-Encoding'] = coding;
  return { body: fresh ? null : coding === null ? body : forms[coding]!(), headers };
}

/** Whether an If-None-Match header lists the tag. The comparison is weak: a `W/` prefix is ignored. */
export function matchesEtag(condition: string | null, etag: string): boolean {
  if (condition === null) return false;
  if (condition === etag || condition.trim() === '*') return true;
  return condition.match(/"[^"]*"/g)?.includes(etag) ?? false;
}

/** Names of compressed forms in Accept-Encoding and Content-Encoding. */
type Coding = 'br' | 'gzip';

/** Whether an Accept-Encoding header allows gzip and does not prefer the uncompressed form. */
export const acceptsGzip = (accepted: string | null): boolean => acceptedCoding(accepted, ['gzip']) !== null;

/** The coding that an Accept-Encoding header prefers, of equal ones the first; `null` if it prefers the uncompressed form. */
function acceptedCoding(accepted: string | null, codings: readonly Coding[]): Coding | null {
  if (accepted === null || accepted === '') return null;
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(coding, q === undefined ? 1 : Number(q.slice(2)) || 0);
  }
  const weightOf = (coding: Coding): number =>
    weights.get(coding) ?? (coding === 'gzip' ? weights.get('x-gzip') : undefined) ?? weights.get('*') ?? 0;
  const best = codings.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one));
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : null;
}

// Responses with an ETag (RFC 9110, sections 8.8.3 and 13.1.2): a client that sends the current tag in If-None-Match gets a
// 304 without a body. Tags are strong, so the gzip form of a response has a separate one.

export type Bytes = Uint8Array<ArrayBuffer>;

/** A body whose version the client can name. */
export interface TaggedBody {
  readonly body: string | Bytes;
  /** Without quotes; letters, digits and dashes only. */
  readonly tag: string;
  /** The body in gzip, if compression is worth it. */
  readonly gzip?: () => Bytes;
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

export function selectRepresentation({ body, tag, gzip }: TaggedBody, request: Headers): SelectedRepresentation {
  const compressed = gzip !== undefined && acceptsGzip(request.get('accept-encoding'));
  const etag = `"${tag}${compressed ? '-gzip' : ''}"`;
  const fresh = matchesEtag(request.get('if-none-match'), etag);
  const headers: Record<string, string> = { ETag: etag };
  if (gzip) headers.Vary = 'Accept-Encoding';
  if (compressed && !fresh) headers['Content-Encoding'] = 'gzip';
  return { body: fresh ? null : compressed ? gzip() : body, headers };
}

/** Whether an If-None-Match header lists the tag. The comparison is weak: a `W/` prefix is ignored. */
export function matchesEtag(condition: string | null, etag: string): boolean {
  if (condition === null) return false;
  if (condition === etag || condition.trim() === '*') return true;
  return condition.match(/"[^"]*"/g)?.includes(etag) ?? false;
}

/** Whether an Accept-Encoding header allows gzip and does not prefer the uncompressed form. */
export function acceptsGzip(accepted: string | null): boolean {
  if (accepted === null || accepted === '') return false;
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(coding, q === undefined ? 1 : Number(q.slice(2)) || 0);
  }
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

// Answers that are known by a tag (RFC 9110, sections 8.8.3 and 13.1.2): who names the tag has the bytes already and is told
// so. Tags are strong, so the packed form of an answer has one of its own.

export type Bytes = Uint8Array<ArrayBuffer>;

export interface Tagged {
  readonly body: string | Bytes;
  /** Without quotes; of characters that need no care in a list. */
  readonly tag: string;
  /** The body in gzip, where that pays. */
  readonly packed?: () => Bytes;
}

/** What of a tagged answer goes out to a caller who sent these headers. */
export interface Selected {
  /** null: the caller has it. */
  readonly body: string | Bytes | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer that stays as it is, packed when somebody first asks for that. */
export function prepared(body: string | Bytes): Tagged {
  return { body, tag: Bun.hash(body).toString(36), packed: once(() => Bun.gzipSync(body)) };
}

/** Made at the first call, kept for the others. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export function select({ body, tag, packed }: Tagged, asked: Headers): Selected {
  const gzip = packed !== undefined && acceptsGzip(asked.get('accept-encoding'));
  const etag = `"${tag}${gzip ? '-gzip' : ''}"`;
  const fresh = names(asked.get('if-none-match'), etag);
  const headers = {
    ETag: etag,
    ...(packed && { Vary: 'Accept-Encoding' }),
    ...(gzip && !fresh && { 'Content-Encoding': 'gzip' }),
  };
  return { body: fresh ? null : gzip ? packed() : body, headers };
}

/** Whether an If-None-Match names the tag. The comparison is the weak one: `W/` makes no difference. */
export function names(condition: string | null, etag: string): boolean {
  if (condition === null) return false;
  if (condition === etag || condition.trim() === '*') return true;
  return condition.match(/"[^"]*"/g)?.includes(etag) ?? false;
}

/** Whether gzip may be sent and is not less welcome than the plain form. */
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

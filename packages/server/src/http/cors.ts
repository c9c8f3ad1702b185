// CORS: browsers may call from any origin, or from the configured ones. Credentials are never allowed across origins.

const EXPOSED =
  'API-Version, Data-Source, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Warning-Parameters, X-Request-Id, ETag, Link, Accept-Ranges, Content-Range, Quote-Age, Stream-Epoch, Stream-Seq, Export-Rows, Export-Rows-Limit, Export-Rows-Remaining, Export-Rows-Reset, Export-Gaps, Read-Rows-Cost, Read-Rows-Limit, Read-Rows-Remaining, Tape-Retention-Days, Tape-Start, Replay-Clock, Practice, Evidence-Source, Evidence-SHA256';

/** Adds the CORS headers for an origin. Also called without an origin if the response may be cached, to set Vary. */
export type AllowOrigin = (origin: string | null, headers: Record<string, string>) => void;

export function corsFor(origins: readonly string[]): AllowOrigin {
  const any = origins.includes('*');
  return (origin, headers) => {
    if (!any) headers.Vary = headers.Vary === undefined ? 'Origin' : `${headers.Vary}, Origin`;
    if (origin === null || (!any && !origins.includes(origin))) return;
    headers['Access-Control-Allow-Origin'] = any ? '*' : origin;
    headers['Access-Control-Expose-Headers'] = EXPOSED;
  };
}

export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers':
    'X-API-Key, Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Match, If-Range, Range, Last-Event-ID, Replay',
  'Access-Control-Max-Age': '86400',
};

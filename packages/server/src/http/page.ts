// Pages and assets with their headers.
import { brotliCompressSync, constants } from 'node:zlib';
import { type Bytes, once, staticResponse, type TaggedBody } from './conditional-response.ts';

/** As fast as gzip, and a tenth smaller. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

export interface Page {
  readonly content: TaggedBody;
  readonly headers: Readonly<Record<string, string>>;
  /** Default 200. */
  readonly status?: number;
}

/** Scripts submit the forms, so `form-action` is none. No script parses HTML, so browsers may block that. */
const policyWith = (trustedTypes: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types ${trustedTypes}`;
export const SCRIPT_POLICY = policyWith("'none'");
/** The terminal may also start its service worker, whose address browsers treat as a script. */
export const TERMINAL_POLICY = `${policyWith('push-worker')}; worker-src 'self'`;
export const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

export function page(body: string | Bytes, type: string, policy = "default-src 'none'", cache = 'no-cache'): Page {
  const headers = {
    'Content-Type': type,
    'Cache-Control': cache,
    'Content-Security-Policy': policy,
    // For browsers that do not support frame-ancestors.
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  };
  const brotli = once(() => new Uint8Array(brotliCompressSync(body, BROTLI)));
  return { content: { ...staticResponse(body), brotli }, headers };
}

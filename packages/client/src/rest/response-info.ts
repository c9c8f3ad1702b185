// Reads the rate limit, the data source and the stream position from the headers of a response.
import type { StreamPosition } from '../common/contract.ts';

/** What is left of the account's REST allowance. */
export interface Allowance {
  /** Requests allowed in any 60 seconds. */
  readonly limit: number;
  /** Requests left. */
  readonly remaining: number;
  /** Seconds until at least one more request is allowed. */
  readonly resetSeconds: number;
}

/** Facts from the headers of a response. */
export interface ResponseInfo {
  /** HTTP status. */
  readonly status: number;
  /** `null` if the response has no rate limit headers: no valid key, or a cross-origin response that hides them. */
  readonly allowance: Allowance | null;
  /** Whether the data comes from a simulation. Say so wherever you display it. */
  readonly simulated: boolean;
  /**
   * Position in the streams up to which the response includes everything: pass it as `resumeFrom` to continue live. `null` if the
   * response states none.
   */
  readonly position: StreamPosition | null;
}

function integerHeader(headers: Headers, name: string): number | null {
  const value = headers.get(name);
  return value !== null && /^\d+$/.test(value.trim()) ? Number(value) : null;
}

export function readPosition(headers: Headers): StreamPosition | null {
  const epoch = headers.get('Stream-Epoch');
  const seq = integerHeader(headers, 'Stream-Seq');
  return epoch === null || seq === null ? null : { epoch, seq };
}

export function readResponseInfo({ status, headers }: Response): ResponseInfo {
  const limit = integerHeader(headers, 'X-RateLimit-Limit');
  const remaining = integerHeader(headers, 'X-RateLimit-Remaining');
  const allowance =
    limit === null || remaining === null
      ? null
      : { limit, remaining, resetSeconds: Number(/\bt=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1] ?? 0) };
  const simulated = headers.get('Data-Source') === 'simulated';
  return { status, allowance, simulated, position: readPosition(headers) };
}

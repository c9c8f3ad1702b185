// What the endpoint table says about one endpoint.
import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Scope } from './tiers.ts';

export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** With `{name}` for path parameters. */
  readonly path: string;
  readonly tag:
    | 'Market'
    | 'Signals'
    | 'Publishers'
    | 'News'
    | 'AI'
    | 'Account'
    | 'Keys'
    | 'Operator'
    | 'Ingest'
    | 'Service';
  readonly summary: string;
  readonly description?: string;
  /** Scope that the key in the header must carry; null where none is needed there. */
  readonly scope: Scope | null;
  /**
   * A signed-in session calls what its scopes allow, as a key does. `too`: it may call this whatever its scopes; `only`: this
   * takes a session and no key.
   */
  readonly session?: 'too' | 'only';
  /** The answer sets, renews or takes away the cookie of a session. */
  readonly cookie?: boolean;
  readonly query?: z.ZodObject;
  /** What a POST takes: one JSON document. */
  readonly body?: z.ZodType;
  /** What a POST takes instead: one JSON document a line. */
  readonly lines?: z.ZodType;
  /** Takes an Idempotency-Key: the same request again gets the first answer again. */
  readonly idempotent?: boolean;
  /** Its answers have a tag, and are not sent again to who names it. */
  readonly tagged?: boolean;
  /** Of a success; 200 where it is left out. */
  readonly status?: 200 | 201;
  readonly response: z.ZodType;
  /** Errors beyond those that every keyed endpoint shares. */
  readonly errors: readonly ErrorCode[];
}

export const endpoint = <const E extends Endpoint>(e: E): E => e;

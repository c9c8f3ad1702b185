// How a gateway tells the ingest who is behind a request it passes on. Only who knows the secret of the active ingest, which
// stands in its lease, is believed; the key or cookie itself stays at the gateway.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { AccountState } from '../access/account-state.ts';
import { type Caller, newMeter } from '../access/caller.ts';
import { ApiError } from '../http/api-error.ts';
import { Guard, type GuardOptions } from '../http/guard.ts';

const CALLER_HEADER = 'x-tickwire-caller';

interface PassedCaller {
  readonly key: string;
  /** Public id of the account. */
  readonly account: string;
  readonly scopes: readonly string[];
}

/** Headers that carry a caller to the ingest. */
export function callerHeaders({ keyId, account, scopes }: Caller, secret: string): Record<string, string> {
  const passed: PassedCaller = { key: keyId, account: account.holder.publicId, scopes: [...scopes] };
  return { Authorization: `Bearer ${secret}`, [CALLER_HEADER]: JSON.stringify(passed) };
}

export interface InnerGuardOptions extends GuardOptions {
  readonly secret: string;
  readonly accountOf: (publicId: string) => AccountState | undefined;
}

/** The guard of the ingest: callers were checked and counted at the gateway that passed them on. */
export class InnerGuard extends Guard {
  readonly #inner: InnerGuardOptions;
  readonly #secret: Buffer;

  constructor(options: InnerGuardOptions) {
    super(options);
    this.#inner = options;
    this.#secret = digest(`Bearer ${options.secret}`);
  }

  override authenticate(request: Request): Caller {
    const given = digest(request.headers.get('authorization') ?? '');
    if (!timingSafeEqual(given, this.#secret))
      throw new ApiError('invalid_key', 'This port answers gateways of the cluster only.');
    const { key, account: publicId, scopes } = JSON.parse(request.headers.get(CALLER_HEADER)!) as PassedCaller;
    const account = this.#inner.accountOf(publicId);
    // Made a moment ago: the next look at the store finds it.
    if (!account) throw new ApiError('no_active_ingest', 'The account is not known yet.', RETRY);
    return {
      keyId: key,
      account,
      scopes: new Set(scopes),
      session: false,
      meter: newMeter(),
      expiresAt: Number.POSITIVE_INFINITY,
      valid: true,
      lastUsedAt: 0,
    };
  }

  override identify(_key: string, request: Request): Caller {
    return this.authenticate(request);
  }

  /** Counted where it came in. */
  override allowance(): undefined {}
}

const RETRY = { headers: { 'Retry-After': '1' } };

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

// Authentication between the nodes of a cluster: a gateway forwards the caller of a request to the ingest node in a header.
// The ingest node trusts it only with the secret from its lease. The key or cookie itself stays at the gateway.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { AccountState } from '../access/account-state.ts';
import { type Caller, newMeter } from '../access/caller.ts';
import { ServiceError } from '../errors/service-error.ts';
import { Guard, type GuardOptions } from './guard.ts';

const CALLER_HEADER = 'x-tickwire-caller';

interface ForwardedCaller {
  readonly key: string;
  /** Public id of the account. */
  readonly account: string;
  readonly scopes: readonly string[];
}

/** The headers that carry a caller to the ingest node. */
export function callerHeaders({ keyId, account, scopes }: Caller, secret: string): Record<string, string> {
  const forwarded: ForwardedCaller = { key: keyId, account: account.publicId, scopes: [...scopes] };
  return { Authorization: `Bearer ${secret}`, [CALLER_HEADER]: JSON.stringify(forwarded) };
}

export interface InternalGuardOptions extends GuardOptions {
  readonly secret: string;
  readonly accountOf: (publicId: string) => AccountState | undefined;
}

/** The guard of an ingest node. The gateway has already authenticated the caller and counted the request. */
export class InternalGuard extends Guard {
  readonly #accountOf: InternalGuardOptions['accountOf'];
  readonly #secret: Buffer;

  constructor(options: InternalGuardOptions) {
    super(options);
    this.#accountOf = options.accountOf;
    this.#secret = digest(`Bearer ${options.secret}`);
  }

  override authenticate(request: Request): Caller {
    const given = digest(request.headers.get('authorization') ?? '');
    if (!timingSafeEqual(given, this.#secret))
      throw new ServiceError('invalid_key', 'This port accepts requests from gateways of the cluster only.');
    const { key, account: publicId, scopes } = JSON.parse(request.headers.get(CALLER_HEADER)!) as ForwardedCaller;
    const account = this.#accountOf(publicId);
    // Created a moment ago: the next refresh of the keyring finds it, and the gateway retries.
    if (!account) throw new ServiceError('no_active_ingest', 'The account is not available yet.', RETRY);
    return {
      keyId: key,
      account,
      quota: account.quota,
      scopes: new Set(scopes),
      session: false,
      meter: newMeter(),
      expiresAt: Number.POSITIVE_INFINITY,
      valid: true,
      lastUsedAt: 0,
    };
  }

  override authenticateKey(_key: string, request: Request): Caller {
    return this.authenticate(request);
  }

  /** The gateway has counted it. */
  override countRequest(): undefined {}
}

const RETRY = { retryAfterSeconds: 1 };

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

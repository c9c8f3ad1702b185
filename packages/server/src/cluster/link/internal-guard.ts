// Authentication on the link between the nodes of a cluster. A gateway has authenticated the caller of a request and forwards it
// in a header; the key or cookie itself stays at the gateway. The ingest node trusts the header only in a request with a valid
// signature (link-signature.ts).
import type { AccountState } from '../../access/account-state.ts';
import { type Caller, newMeter } from '../../access/caller.ts';
import { Guard, type GuardOptions, type PeerLookup } from '../../access/guard.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { MAX_BODY_BYTES, readRequestBody } from '../../http/body.ts';
import type { Handler, RoutedRequest } from '../../http/handler.ts';
import { CALLER_HEADER, type SignatureVerifier } from './link-signature.ts';

/** The code of a refusal by the ingest node. Not in the catalogue: it never reaches a client. */
export const LINK_REFUSED = 'link_refused';

interface ForwardedCaller {
  readonly key: string;
  /** Public id of the account. */
  readonly account: string;
  readonly scopes: readonly string[];
  /** Whether the caller is a signed-in session. */
  readonly session?: boolean;
}

/** The header that carries a caller to the ingest node. */
export function callerHeader({ keyId, account, scopes, session }: Caller): Record<string, string> {
  const forwarded: ForwardedCaller = { key: keyId, account: account.publicId, scopes: [...scopes], session };
  return { [CALLER_HEADER]: JSON.stringify(forwarded) };
}

const signed = new WeakSet<Request>();

/** A handler that gets only requests with a valid signature. */
export function requireSignature(verifier: SignatureVerifier, handler: Handler): Handler {
  return async (request, peers: PeerLookup) => {
    const { method, url, headers } = request;
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const refuse = (detail: string): Response => Response.json({ code: LINK_REFUSED, detail }, { status: 403 });
    const refusal = verifier.refusal(request);
    if (refusal !== null) return refuse(refusal);
    const body = hasBody ? await readRequestBody(request, MAX_BODY_BYTES).catch(() => null) : null;
    if (hasBody && body === null) return refuse('the body cannot be read');
    if (!verifier.hasBody(request, body)) return refuse('the body was changed');
    const copy = new Request(url, { method, headers, ...(body && { body: body as Uint8Array<ArrayBuffer> }) });
    const verified: RoutedRequest = Object.assign(copy, { params: request.params ?? {} });
    signed.add(verified);
    return handler(verified, peers);
  };
}

export interface InternalGuardOptions extends GuardOptions {
  readonly accountOf: (publicId: string) => AccountState | undefined;
}

/** The guard of an ingest node. The gateway has already authenticated the caller and counted the request. */
export class InternalGuard extends Guard {
  readonly #accountOf: InternalGuardOptions['accountOf'];

  constructor(options: InternalGuardOptions) {
    super(options);
    this.#accountOf = options.accountOf;
  }

  override authenticate(request: Request): Caller {
    if (!signed.has(request))
      throw new ServiceError('invalid_key', 'This port accepts requests from gateways of the cluster only.');
    const forwarded = JSON.parse(request.headers.get(CALLER_HEADER)!) as ForwardedCaller;
    const { key, account: publicId, scopes, session = false } = forwarded;
    const account = this.#accountOf(publicId);
    // Created a moment ago: the next refresh of the keyring finds it, and the gateway retries.
    if (!account) throw new ServiceError('no_active_ingest', 'The account is not available yet.', RETRY);
    return {
      keyId: key,
      account,
      quota: account.quota,
      scopes: new Set(scopes),
      session,
      path: null,
      meter: newMeter(),
      expiresAt: Number.POSITIVE_INFINITY,
      valid: true,
      lastUsedAt: 0,
    };
  }

  override authenticateSession(request: Request): Caller {
    return this.authenticate(request);
  }

  override authenticateKey(_key: string, request: Request): Caller {
    return this.authenticate(request);
  }

  /** The gateway has counted it. */
  override countRequest(): undefined {}

  /** The open port of the node has the same guard: only what a gateway has signed was counted there. */
  override countAddress(request: Request, peers: PeerLookup, now: number): void {
    if (!signed.has(request)) super.countAddress(request, peers, now);
  }
}

const RETRY = { retryAfterSeconds: 1 };

// Signing keys of publishers: whether a request must be signed, and whether its signature is valid ("Publisher signatures" in
// docs/reference/signals.md).
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { canonicalJson, type RequestSignature } from '@tickwire/contract';
import { SECOND_MS } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import type { SignedRow, StoredSigningKey } from '../store/signal-store.ts';
import type { RecordSignature } from './signal-records.ts';

/** Greatest difference between `signed_at` and the clock of the service. */
const SIGNED_WITHIN_MS = 30 * SECOND_MS;

interface KeyState {
  readonly publicKey: string | null;
  readonly key: KeyObject | null;
  signedAt: number;
}

/** The signature of a request for its record, and the time that it takes from the publisher. */
export interface CheckedSignature {
  readonly record: RecordSignature | null;
  readonly signed: SignedRow | null;
}

const UNSIGNED: CheckedSignature = { record: null, signed: null };

export class SigningKeys {
  readonly #keys = new Map<string, KeyState>();

  constructor(stored: readonly StoredSigningKey[]) {
    for (const { publisher, publicKey, signedAt } of stored) this.#put(publisher, publicKey, signedAt);
  }

  /** From now on. */
  set(publisher: string, publicKey: string | null): void {
    this.#put(publisher, publicKey, this.#keys.get(publisher)?.signedAt ?? 0);
  }

  /** Throws if the account has a signing key. `what`: requests that cannot be signed, in the plural. */
  requireNone(publisher: string, what: string): void {
    if (this.#keys.get(publisher)?.publicKey)
      throw new ServiceError('signature_required', `This account has a signing key, and ${what} cannot be signed.`);
  }

  /** Throws if a request must be signed and is not, or not correctly. `fields` are those that were sent. */
  check(
    publisher: string,
    action: 'publish' | 'amend' | 'close',
    fields: Readonly<Record<string, unknown>>,
    signed: RequestSignature | undefined,
    now: number,
  ): CheckedSignature {
    const state = this.#keys.get(publisher);
    const publicKey = state?.publicKey ?? null;
    if (!signed) {
      if (publicKey === null) return UNSIGNED;
      throw new ServiceError(
        'signature_required',
        'This account has a signing key: the request must be signed with it.',
      );
    }
    if (!state?.key || publicKey === null)
      throw new ServiceError('invalid_signature', 'The account has no signing key. Register one, or leave out signed.');
    const { signed_at, signature } = signed;
    const bytes = new TextEncoder().encode(canonicalJson({ action, publisher, signed_at, ...fields }));
    if (!verify(null, bytes, state.key, Uint8Array.fromHex(signature)))
      throw new ServiceError(
        'invalid_signature',
        'The signature is not one of this request by the key of the account.',
      );
    const signedAt = Date.parse(signed_at);
    if (Math.abs(signedAt - now) > SIGNED_WITHIN_MS)
      throw new ServiceError('stale_signature', 'signed_at is more than 30 s away from the clock of the service.');
    if (signedAt <= state.signedAt)
      throw new ServiceError('stale_signature', 'signed_at is not later than that of an earlier request.');
    return { record: { ...signed, public_key: publicKey }, signed: { publisher, signedAt } };
  }

  /** The request is accepted: one that was signed earlier is not accepted any more. */
  accept({ signed }: CheckedSignature): void {
    const state = signed && this.#keys.get(signed.publisher);
    if (state) state.signedAt = signed.signedAt;
  }

  /** The request could not be stored. It may be sent again, unless another one was accepted meanwhile. */
  giveBack({ signed }: CheckedSignature): void {
    const state = signed && this.#keys.get(signed.publisher);
    if (state?.signedAt === signed?.signedAt && state) state.signedAt--;
  }

  #put(publisher: string, publicKey: string | null, signedAt: number): void {
    this.#keys.set(publisher, { publicKey, key: publicKey === null ? null : importKey(publicKey), signedAt });
  }
}

function importKey(publicKey: string): KeyObject {
  const x = Buffer.from(publicKey, 'hex').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

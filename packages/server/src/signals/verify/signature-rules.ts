// Checks the signatures of publishers against the `publisher_key` records before them ("Publisher signatures" in
// docs/reference/signals.md).
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  type AmendedRecord,
  type CloseRequestedRecord,
  canonicalJson,
  type PublishedRecord,
  type PublisherKeyRecord,
} from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { epoch } from '../log-records.ts';
import type { ReportFault } from './findings.ts';

type Signed = NonNullable<PublishedRecord['signed']>;
type SignableRecord = PublishedRecord | AmendedRecord | CloseRequestedRecord;

const ACTIONS = { published: 'publish', amended: 'amend', close_requested: 'close' } as const;
/** Greatest difference between `signed_at` and `at`. */
const SIGNED_WITHIN_MS = 30_000;
const LIFE_MS = 30 * DAY_MS;

/** Signatures are verified by other threads: call `settle` to wait for them. */
export class PublisherSignatures {
  /** Number of valid signatures. */
  valid = 0;
  /** Publishers that have had a key, and the number of keys that replaced or removed an earlier one. */
  readonly publishers = new Set<string>();
  changes = 0;
  readonly #keys = new Map<string, string>();
  readonly #imported = new Map<string, KeyObject | null>();
  readonly #signedAt = new Map<string, string>();
  readonly #waiting = new Set<Promise<void>>();

  setKey({ publisher, public_key }: PublisherKeyRecord): void {
    if (this.publishers.has(publisher)) this.changes++;
    this.publishers.add(publisher);
    if (public_key === null) this.#keys.delete(publisher);
    else this.#keys.set(publisher, public_key);
  }

  /** `fault` may be called until `settle`. */
  check(record: SignableRecord, fault: ReportFault): void {
    const { publisher, signed } = record;
    const key = this.#keys.get(publisher);
    if (!signed) {
      if (key !== undefined) fault('signature', `it is not signed, although ${publisher} has a signing key`);
      return;
    }
    const { signed_at, public_key } = signed;
    if (public_key !== key) {
      fault('signature', `it is signed with the key ${public_key}, but that of ${publisher} is ${key ?? 'none'}`);
      return;
    }
    if (Math.abs(epoch(record.at) - epoch(signed_at)) > SIGNED_WITHIN_MS)
      fault('signature', `it was signed at ${signed_at}, more than 30 s from ${record.at}`);
    const before = this.#signedAt.get(publisher) ?? '';
    if (signed_at <= before) fault('signature', `signed_at ${signed_at} is not later than ${before} before it`);
    else this.#signedAt.set(publisher, signed_at);
    const check = this.#verify(record, signed, fault);
    this.#waiting.add(check);
    void check.then(() => this.#waiting.delete(check));
  }

  /** Waits for all signatures so far. */
  async settle(): Promise<void> {
    await Promise.all(this.#waiting);
  }

  async #verify(record: SignableRecord, signed: Signed, fault: ReportFault): Promise<void> {
    const key = this.#import(signed.public_key);
    const signature = Uint8Array.fromHex(signed.signature);
    for (const text of textsOf(record, signed.signed_at)) {
      if (key && (await isSigned(text, key, signature))) {
        this.valid++;
        return;
      }
    }
    fault('signature', `it is not signed by the key of ${record.publisher}`);
  }

  #import(key: string): KeyObject | null {
    const known = this.#imported.get(key);
    if (known !== undefined) return known;
    const imported = importKey(key);
    this.#imported.set(key, imported);
    return imported;
  }
}

const utf8 = new TextEncoder();

/**
 * With a callback, the signature is verified by another thread. Neither is a small Buffer: `verify` would copy the whole pool that it
 * is a part of, which takes a quarter as long as the verification.
 */
const isSigned = (text: string, key: KeyObject, signature: Uint8Array): Promise<boolean> =>
  new Promise((resolve) => verify(null, utf8.encode(text), key, signature, (error, valid) => resolve(!error && valid)));

/** `null` if the bytes are not a point of the curve. */
function importKey(key: string): KeyObject | null {
  try {
    const x = Buffer.from(key, 'hex').toString('base64url');
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  } catch {
    return null;
  }
}

/** Texts of the requests that lead to the record. None if a text in it is not well-formed, which that of a request cannot be. */
function* textsOf(record: SignableRecord, signed_at: string): Generator<string> {
  try {
    for (const request of requestsOf(record))
      yield canonicalJson({ ...request, publisher: record.publisher, signed_at });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** The record does not tell whether fields with the default value were sent. */
function* requestsOf(record: SignableRecord): Generator<object> {
  const action = ACTIONS[record.type];
  const { signal, type } = record;
  if (type === 'close_requested') yield { action, signal };
  else if (type === 'amended') yield { action, signal, stop_loss: record.stop_loss };
  else {
    const { at, symbol, direction, stop_loss, targets, breakeven_after, note_sha256, deadline } = record;
    const { entry, max_slippage } = record;
    const isDefault = epoch(deadline) === epoch(at) + LIFE_MS;
    // Undefined members are left out of the text.
    for (const take_profit of targets ? [undefined, record.take_profit] : [record.take_profit])
      for (const expires_at of isDefault ? [undefined, deadline] : [deadline])
        yield {
          action,
          symbol,
          direction,
          ...(max_slippage === undefined ? { entry } : { order: 'market', max_slippage: max_slippage ?? undefined }),
          stop_loss,
          take_profit,
          targets,
          breakeven_after,
          expires_at,
          note_sha256,
        };
  }
}

// Ed25519 signatures, checked by the browser, and those of publishers under their requests ("Publisher signatures" in
// docs/reference/signals.md). A record does not contain the request, but everything that was signed in it.
import type { LogRecord } from '@tickwire/client';
import { bytesOf, canonicalText, type Json } from './canonical.ts';

const ED25519 = { name: 'Ed25519' };
const ACTIONS = { published: 'publish', amended: 'amend', close_requested: 'close' } as const;
/** Greatest difference between `signed_at` and `at` of the record. */
const SIGNED_WITHIN_MS = 30_000;
/** Life of a signal whose request names no deadline. */
const DEFAULT_LIFE_MS = 30 * 86_400_000;
/** Number of signatures that the browser verifies at once. */
const BATCH = 64;

export const NO_ED25519 =
  'This browser cannot verify Ed25519 signatures. A newer one can, and so does “tickwire verify”.';

/** A record of a request by the publisher. */
export type RequestRecord = Extract<LogRecord, { readonly type: keyof typeof ACTIONS }>;

export const isRequest = (record: LogRecord): record is RequestRecord => record.type in ACTIONS;

export async function supportsEd25519(subtle: SubtleCrypto): Promise<boolean> {
  try {
    await subtle.generateKey(ED25519, false, ['sign', 'verify']);
    return true;
  } catch {
    return false;
  }
}

/** False also if the key or the signature is malformed. Both are hex. */
export async function isSigned(value: Json, key: string, signature: string, subtle: SubtleCrypto): Promise<boolean> {
  const [keyBytes, signed] = [bytesOf(key), bytesOf(signature)];
  if (keyBytes?.length !== 32 || signed?.length !== 64) return false;
  try {
    const imported = await subtle.importKey('raw', keyBytes, ED25519, false, ['verify']);
    return await subtle.verify(ED25519, imported, signed, new TextEncoder().encode(canonicalText(value)));
  } catch {
    // The bytes are not a point of the curve.
    return false;
  }
}

export interface Signatures {
  readonly signed: number;
  readonly unsigned: number;
  /** Every key that signed. */
  readonly keys: readonly string[];
}

/** Checks the requests of one publisher, in the order of the log. */
export async function checkSignatures(
  requests: readonly RequestRecord[],
  subtle: SubtleCrypto,
  faults: string[],
): Promise<Signatures> {
  const keys = new Set<string>();
  let [count, before] = [0, ''];
  for (const { n, at, signed } of requests) {
    if (!signed) continue;
    const { signed_at, public_key } = signed;
    count++;
    keys.add(public_key);
    if (!(Math.abs(Date.parse(at) - Date.parse(signed_at)) <= SIGNED_WITHIN_MS))
      faults.push(`Record ${n} was signed more than 30 s before or after it was written`);
    if (signed_at <= before) faults.push(`The signature of record ${n} is not later than the one before it`);
    before = signed_at;
  }
  for (let from = 0; from < requests.length; from += BATCH) {
    const batch = requests.slice(from, from + BATCH);
    const valid = await Promise.all(batch.map((record) => !record.signed || isValid(record, record.signed, subtle)));
    for (const [index, { n }] of batch.entries())
      if (!valid[index]) faults.push(`Record ${n} is not what the publisher signed`);
  }
  return { signed: count, unsigned: requests.length - count, keys: [...keys] };
}

async function isValid(
  record: RequestRecord,
  { signed_at, signature, public_key }: NonNullable<RequestRecord['signed']>,
  subtle: SubtleCrypto,
): Promise<boolean> {
  for (const request of requestsOf(record, signed_at))
    if (await isSigned(request, public_key, signature, subtle)) return true;
  return false;
}

/** The requests that lead to this record: it does not tell whether a field with its default value was sent. */
function requestsOf(record: RequestRecord, signed_at: string): readonly Json[] {
  const { publisher, signal } = record;
  const common = { action: ACTIONS[record.type], publisher, signed_at };
  if (record.type === 'close_requested') return [{ ...common, signal }];
  if (record.type === 'amended') return [{ ...common, signal, stop_loss: record.stop_loss }];
  const { symbol, direction, stop_loss, take_profit, targets, breakeven_after, note_sha256, deadline } = record;
  const { entry, max_slippage } = record;
  const sent = {
    ...{ ...common, symbol, direction, stop_loss },
    ...(max_slippage === undefined ? { entry } : { order: 'market' }),
    ...(typeof max_slippage === 'number' && { max_slippage }),
    ...(targets && { targets: targets.map(({ price, fraction }) => ({ price, fraction })) }),
    ...(breakeven_after !== undefined && { breakeven_after }),
    ...(note_sha256 !== undefined && { note_sha256 }),
  };
  const withTarget = { ...sent, take_profit };
  const withDeadline = (request: typeof sent) => ({ ...request, expires_at: deadline });
  const requests = targets ? [sent, withTarget] : [withTarget];
  const isDefault = Date.parse(deadline) - Date.parse(record.at) === DEFAULT_LIFE_MS;
  return [...(isDefault ? requests : []), ...requests.map(withDeadline)];
}

// The signatures of the publisher in the records of a signal ("Publisher signatures" in docs/signals.md). Which key the
// publisher had registered is in records elsewhere in the log, which `tickwire verify` compares.
import { bytesOf, canonicalText, type Json } from './canonical.ts';
import type { SignalRecord } from './rules-version-2.ts';

const SIGNED_WITHIN_MS = 30_000;
const LIFE_MS = 30 * 86_400_000;

type Signable = Extract<SignalRecord, { readonly type: 'published' | 'amended' | 'close_requested' }>;

export const isSigned = (
  record: SignalRecord,
): record is Signable & { readonly signed: NonNullable<Signable['signed']> } =>
  'signed' in record && record.signed !== undefined;

/** False if it is not valid; `null` if this browser cannot verify it. */
export async function signatureIsValid(record: SignalRecord, subtle: SubtleCrypto): Promise<boolean | null> {
  if (!isSigned(record)) return false;
  const { signed_at, signature, public_key } = record.signed;
  if (Math.abs(Date.parse(record.at) - Date.parse(signed_at)) > SIGNED_WITHIN_MS) return false;
  const [key, bytes] = [bytesOf(public_key), bytesOf(signature)];
  if (!key || !bytes) return false;
  try {
    const imported = await subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify']);
    for (const request of requestsOf(record, signed_at)) {
      const text = new TextEncoder().encode(canonicalText(request as Json));
      if (await subtle.verify({ name: 'Ed25519' }, imported, bytes, text)) return true;
    }
    return false;
  } catch {
    return null;
  }
}

/** The requests that lead to the record: it does not tell whether fields with their default value were sent. */
function requestsOf(record: Signable, signed_at: string): readonly object[] {
  const { publisher, signal } = record;
  const common = { publisher, signed_at };
  if (record.type === 'close_requested') return [{ ...common, action: 'close', signal }];
  if (record.type === 'amended') return [{ ...common, action: 'amend', signal, stop_loss: record.stop_loss }];
  const { symbol, direction, entry, stop_loss, take_profit, targets, breakeven_after, note_sha256 } = record;
  const sent = {
    ...common,
    ...{ action: 'publish', symbol, direction, entry, stop_loss },
    ...(targets && { targets }),
    ...(breakeven_after !== undefined && { breakeven_after }),
    ...(note_sha256 !== undefined && { note_sha256 }),
  };
  const expires_at = record.deadline;
  const byDefault = Date.parse(expires_at) === Date.parse(record.at) + LIFE_MS;
  return [...(targets ? [sent] : []), { ...sent, take_profit }].flatMap((fields) =>
    byDefault ? [fields, { ...fields, expires_at }] : [{ ...fields, expires_at }],
  );
}

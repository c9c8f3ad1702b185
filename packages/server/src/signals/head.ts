// The signed head of the signal log: number and hash of its last record. Anyone who keeps a head can later prove that
// no record up to it was rewritten.
import { createPublicKey, sign, verify } from 'node:crypto';
import { canonicalJson, iso, type KeptHead, type LogHead } from '@tickwire/contract';
import type { HeadRow, StoredHead } from '../store/head-store.ts';
import type { LogKey } from './log-key.ts';

export type SignedFields = Pick<LogHead, 'log' | 'n' | 'hash' | 'at'>;

/** What the key of the log signs, and what authorities time-stamp. */
export const signedBytes = ({ log, n, hash, at }: SignedFields): Buffer =>
  Buffer.from(canonicalJson({ log, n, hash, at }));

/** `at` is in milliseconds since 1970. */
export function signHead(
  key: LogKey,
  log: string,
  tail: { readonly n: number; readonly hash: string },
  at: number,
): LogHead {
  const head: SignedFields = { log, n: tail.n, hash: tail.hash, at: iso(at) };
  // Ed25519 does its own hashing, so no digest is named.
  const signature = sign(null, signedBytes(head), key.privateKey).toString('hex');
  return { ...head, public_key: key.publicKey, signature };
}

/** Whether the head is signed by the key it names. Whether that is the key of the log is not checked. */
export function verifyHead(head: LogHead): boolean {
  if (!/^[0-9a-f]{64}$/.test(head.public_key) || !/^[0-9a-f]{128}$/.test(head.signature)) return false;
  try {
    const x = Buffer.from(head.public_key, 'hex').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, signedBytes(head), key, Buffer.from(head.signature, 'hex'));
  } catch {
    // 32 bytes that are not a point of the curve.
    return false;
  }
}

/** A head as the store keeps it. */
export const headRow = ({ n, hash, at, signature }: LogHead): HeadRow => ({ n, hash, at: Date.parse(at), signature });

/** A stored head as the API returns it. `log`: name and key of the log. */
export const keptHead = (
  { n, hash, at, signature, tokens }: StoredHead,
  { log, public_key }: Pick<LogHead, 'log' | 'public_key'>,
): KeptHead => ({
  log,
  n,
  hash,
  at: iso(at),
  public_key,
  signature,
  tokens: tokens.map(({ authority, at: time, token }) => ({ authority, time: iso(time), token })),
});

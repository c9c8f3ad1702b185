// The head of the log, signed: its last number and hash. Whoever keeps one can show later that nothing before it was
// rewritten, so heads are written where this machine's owner cannot quietly change them.
import { createPublicKey, sign, verify } from 'node:crypto';
import { canonicalJson, type LogHead } from '@tickwire/contract';
import type { LogKey } from './log-key.ts';

type Signed = Pick<LogHead, 'log' | 'n' | 'hash' | 'at'>;

const signedBytes = ({ log, n, hash, at }: Signed): Buffer => Buffer.from(canonicalJson({ log, n, hash, at }));

/** `at` in milliseconds. */
export function signHead(
  key: LogKey,
  log: string,
  tail: { readonly n: number; readonly hash: string },
  at: number,
): LogHead {
  const head: Signed = { log, n: tail.n, hash: tail.hash, at: new Date(at).toISOString() };
  // Ed25519 hashes for itself: no digest is named.
  const signature = sign(null, signedBytes(head), key.privateKey).toString('hex');
  return { ...head, public_key: key.publicKey, signature };
}

/** Whether the signature is that of the key in the head; whether that is the log's own key, only the log can tell. */
export function verifyHead(head: LogHead): boolean {
  if (!/^[0-9a-f]{64}$/.test(head.public_key) || !/^[0-9a-f]{128}$/.test(head.signature)) return false;
  try {
    const x = Buffer.from(head.public_key, 'hex').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, signedBytes(head), key, Buffer.from(head.signature, 'hex'));
  } catch {
    // 32 bytes that are no point of the curve.
    return false;
  }
}

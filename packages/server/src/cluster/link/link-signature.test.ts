import { describe, expect, test } from 'bun:test';
import { SignatureVerifier, type SignedParts, signRequest } from './link-signature.ts';

const NOW = 1_800_000_000_000;
const body = new TextEncoder().encode('{"symbol":"EURUSD"}');
const parts: SignedParts = {
  method: 'POST',
  path: '/api/signals?x=1',
  headers: { 'x-tickwire-caller': '{"account":"pub_1","scopes":["publish"]}', 'idempotency-key': 'k-1' },
  body,
};

/** A request as the ingest node receives it, signed with `secret`, then changed on the way. */
function received(changes: Partial<SignedParts> = {}, secret = 's3cret', signedAt = NOW): Request {
  const signature = signRequest(secret, parts, signedAt);
  const { method, path, headers } = { ...parts, ...changes };
  return new Request(`https://ingest${path}`, { method, headers: { ...headers, ...signature } });
}
const verifier = (now = NOW, max?: number): SignatureVerifier => new SignatureVerifier('s3cret', () => now, max);

describe('a request from a gateway', () => {
  test('is accepted with a valid signature', () => {
    expect(verifier().refusal(received())).toBeNull();
  });

  test.each([
    ['method', { method: 'DELETE' }],
    ['path', { path: '/api/signals?x=2' }],
    ['caller', { headers: { ...parts.headers, 'x-tickwire-caller': '{"account":"pub_1","scopes":["admin"]}' } }],
    ['idempotency key', { headers: { ...parts.headers, 'idempotency-key': 'k-2' } }],
    ['encoding', { headers: { ...parts.headers, 'content-encoding': 'gzip' } }],
  ] as const)('is refused if its %s was changed', (_, changes) => {
    expect(verifier().refusal(received(changes))).toBe('the signature is wrong');
  });

  test('is refused with another secret, and without a signature', () => {
    expect(verifier().refusal(received({}, 'other'))).toBe('the signature is wrong');
    const { url, method } = received();
    expect(verifier().refusal(new Request(url, { method, headers: parts.headers }))).toBe('the signature is wrong');
  });

  test('is refused with another body, and with another hash of a body', () => {
    const request = received();
    const other = new TextEncoder().encode('{"symbol":"BTCUSD"}');
    expect([body, other, null].map((sent) => verifier().hasBody(request, sent))).toEqual([true, false, false]);
    request.headers.set('x-tickwire-body-sha256', new Bun.CryptoHasher('sha256').update(other).digest('hex'));
    expect(verifier().refusal(request)).toBe('the signature is wrong');
  });

  test('is accepted once, however long it is repeated', () => {
    let now = NOW;
    const checking = new SignatureVerifier('s3cret', () => now);
    // The clock of the gateway is ahead: its request stays within the window for longer.
    const request = received({}, 's3cret', NOW + 29_000);
    expect(checking.refusal(request)).toBeNull();
    expect(checking.refusal(request)).toBe('the request was sent twice');
    for (now = NOW; now < NOW + 59_000; now += 500) {
      expect(checking.refusal(received({}, 's3cret', now))).toBeNull();
      expect(checking.refusal(request)).toBe('the request was sent twice');
    }
    now = NOW + 59_001;
    expect(checking.refusal(request)).toContain('clocks');
  });

  test('is refused a second time at the last moment of its window', () => {
    let now = NOW;
    const checking = new SignatureVerifier('s3cret', () => now);
    const request = received({}, 's3cret', NOW + 30_000);
    expect(checking.refusal(request)).toBeNull();
    now = NOW + 60_000;
    expect(checking.refusal(request)).toBe('the request was sent twice');
  });

  test.each([-30_001, 30_001, Number.NaN])('is refused if the clocks differ by %d ms', (skew) => {
    expect(verifier().refusal(received({}, 's3cret', NOW + skew))).toContain('clocks');
  });

  test('is accepted if the clocks differ by up to 30 s', () => {
    for (const skew of [-30_000, -3_000, 3_000, 30_000])
      expect(verifier().refusal(received({}, 's3cret', NOW + skew))).toBeNull();
  });

  test('is refused while too many nonces are remembered', () => {
    const checking = verifier(NOW, 2);
    expect([1, 2, 3].map(() => checking.refusal(received()))).toEqual([null, null, 'too many requests']);
  });
});

// Signatures as the service checks them.
import { expect, test } from 'bun:test';
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { canonicalJson } from '@tickwire/contract';
import { fakeService } from '../../testing/fake-service.ts';
import { TickwireClient } from '../client.ts';
import { createSigningKey, importSigningKey, Signer } from './signer.ts';

const isSigned = (publicKey: string, fields: object, signature: string): boolean => {
  const x = Buffer.from(publicKey, 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(canonicalJson(fields)), key, Buffer.from(signature, 'hex'));
};
const TERMS = { symbol: 'eurusd', direction: 'buy', entry: 1.084, stop_loss: 1.081 } as const;

test('covers every field of a publication, in the form that the log has', async () => {
  const { privateKey, publicKey } = await createSigningKey();
  expect(publicKey).toMatch(/^[0-9a-f]{64}$/);
  const request = {
    ...TERMS,
    targets: [
      { price: 1.087, fraction: 0.5 },
      { price: 1.09, fraction: 0.5 },
    ],
    breakeven_after: 1,
    expires_at: '2026-03-06T22:00:00+01:00',
    note: 'grüße',
  };
  const { signed, ...sent } = await new Signer('pub_1', privateKey).publish(request);
  expect(sent).toEqual(request);
  const { signed_at, signature } = signed!;
  const { note, ...rest } = request;
  const fields = {
    ...rest,
    action: 'publish',
    publisher: 'pub_1',
    signed_at,
    symbol: 'EURUSD',
    expires_at: '2026-03-06T21:00:00.000Z',
    note_sha256: createHash('sha256').update(note).digest('hex'),
  };
  expect(isSigned(publicKey, fields, signature)).toBe(true);
  expect(isSigned(publicKey, { ...fields, entry: 1.0841 }, signature)).toBe(false);
});

test('covers the signal of an amendment and of a request to close, each later than the one before', async () => {
  const pair = generateKeyPairSync('ed25519');
  const privateKey = await importSigningKey(pair.privateKey.export({ type: 'pkcs8', format: 'der' }));
  const publicKey = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
  const signer = new Signer('pub_1', privateKey);
  const amend = await signer.amend('sig_1', { stop_loss: 1.0825 });
  const close = await signer.close('sig_1');
  const common = { publisher: 'pub_1', signal: 'sig_1' };
  const amended = { action: 'amend', ...common, stop_loss: 1.0825, signed_at: amend.signed!.signed_at };
  expect(isSigned(publicKey, amended, amend.signed!.signature)).toBe(true);
  expect(isSigned(publicKey, { action: 'close', ...common, signed_at: close.signed_at }, close.signature)).toBe(true);
  expect(close.signed_at > amend.signed!.signed_at).toBe(true);
});

test('is sent with a request to close, whose response may still be active', async () => {
  const bodies: string[] = [];
  await using service = fakeService({
    rest: async (request) => {
      bodies.push(await request.text());
      return Response.json({ id: 'sig_1', status: 'active', close_requested_at: 'now' }, { status: 202 });
    },
  });
  const client = new TickwireClient({ url: service.url, apiKey: 'k' });
  const signed = { signed_at: '2026-03-02T11:24:06.811Z', signature: '0f'.repeat(64) };
  expect(await client.closeSignal('sig_1', { signed })).toMatchObject({ status: 'active' });
  expect(await client.closeSignal('sig_1')).toMatchObject({ status: 'active' });
  expect(bodies).toEqual([JSON.stringify({ signed }), '']);
});

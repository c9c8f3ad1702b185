import { expect, test } from 'bun:test';
import { AddressLimits } from '../../access/address-limits.ts';
import type { PeerLookup } from '../../access/guard.ts';
import { InternalGuard, requireSignature } from './internal-guard.ts';
import { SignatureVerifier, signRequest } from './link-signature.ts';

test('counts requests against their address, unless a gateway has signed and counted them', async () => {
  const guard = new InternalGuard({
    addressLimits: new AddressLimits(1),
    addressOf: () => '192.0.2.1',
  } as unknown as ConstructorParameters<typeof InternalGuard>[0]);
  const peers: PeerLookup = { requestIP: () => null };
  const url = 'http://ingest/public/signals/head';
  guard.countAddress(new Request(url), peers, 0);
  expect(() => guard.countAddress(new Request(url), peers, 0)).toThrow('1 requests in 60 seconds');
  const link = requireSignature(new SignatureVerifier('secret', () => 0), (request) => {
    guard.countAddress(request, peers, 0);
    return new Response('counted by the gateway');
  });
  const parts = { method: 'GET', path: '/public/signals/head', headers: {}, body: null };
  for (let times = 0; times < 3; times++) {
    const answer = await link(new Request(url, { headers: signRequest('secret', parts, 0) }), peers);
    expect([answer.status, await answer.text()]).toEqual([200, 'counted by the gateway']);
  }
});

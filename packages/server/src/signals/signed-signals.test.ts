// Signals of accounts with a signing key: only signed requests count, and each only once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { LogPage, SignalDetail } from '@tickwire/contract';
import { BUY, codeOf, EURO, LIMIT, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { SigningPublisher } from '../../testing/signals/signing.fixture.ts';
import { requestOfLog } from '../cli/log-request.ts';

let service: RunningService;
let market: TestMarket;
let publisher: TestPublisher;
let signer: SigningPublisher;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  market = await TestMarket.of(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  publisher = await TestPublisher.of(service);
  await market.quote(...EURO);
  signer = await SigningPublisher.of(service, publisher);
});

const record = async (id: string, type: string) => {
  const { records } = await publisher.read<{ records: LogPage['items'] }>(`/api/signals/${id}/proof`);
  return records.map(({ record: each }) => each).find((each) => each.type === type);
};

describe('an account with a signing key', () => {
  test('publishes, amends and closes with signatures, which are in the log', async () => {
    const terms = { ...BUY, note: 'grüße', expires_at: '2099-01-01T00:00:00.000Z' };
    const late = { ...terms, expires_at: new Date(Date.now() + 60_000).toISOString() };
    expect(await codeOf(await publisher.publish(signer.publication(terms)))).toEqual([422, 'expiry_out_of_range']);
    const { id } = await publisher.open(signer.publication(late), market);
    expect(((await publisher.detail(id)) as SignalDetail).signed).toBe(true);
    const { publicKey: public_key } = signer;
    expect(await record(id, 'published')).toMatchObject({ signed: { public_key } });

    const stop = { stop_loss: 1.083 };
    expect(await codeOf(await publisher.amend(id, stop))).toEqual([403, 'signature_required']);
    const amend = { ...stop, signed: signer.signed('amend', { signal: id, ...stop }) };
    expect((await publisher.amend(id, amend)).status).toBe(200);
    expect(await record(id, 'amended')).toMatchObject({ signed: { public_key } });

    expect(await codeOf(await publisher.close(id))).toEqual([403, 'signature_required']);
    const close = { signed: signer.signed('close', { signal: id }) };
    const closing = publisher.post(`/api/signals/${id}/close`, JSON.stringify(close));
    await publisher.once(id, ({ close_requested_at }) => close_requested_at !== null);
    await market.repeat('EURUSD');
    expect((await closing).status).toBe(200);
    expect(await record(id, 'close_requested')).toMatchObject({ signed: { public_key } });
  });

  test('signs the symbol of the catalogue, however the request spells it', async () => {
    const spelled = { ...signer.publication(BUY), symbol: 'EUR/USD' };
    expect(await publisher.published(spelled)).toMatchObject({ symbol: 'EURUSD' });
    const other = signer.publication({ ...BUY, symbol: 'EUR/USD' });
    expect(await codeOf(await publisher.publish(other))).toEqual([403, 'invalid_signature']);
  });

  test('is refused without a signature, with that of another request or key, and over TradingView', async () => {
    expect(await codeOf(await publisher.publish(BUY))).toEqual([403, 'signature_required']);
    const { signed } = signer.publication(BUY);
    for (const changed of [
      { ...BUY, entry: 1.08413 },
      { ...BUY, note: 'more' },
      { ...BUY, direction: 'sell' },
    ])
      expect(await codeOf(await publisher.publish({ ...changed, signed }))).toEqual([403, 'invalid_signature']);
    const other = await SigningPublisher.of(service, await TestPublisher.of(service));
    expect(await codeOf(await publisher.publish(other.publication(BUY)))).toEqual([403, 'invalid_signature']);
    const hook = await TestPublisher.of(service, ['hook']);
    await SigningPublisher.of(service, hook);
    const alert = await fetch(`${service.url}/hooks/tradingview/${hook.issued.key}`, {
      method: 'POST',
      body: JSON.stringify(BUY),
    });
    expect(await codeOf(alert)).toEqual([403, 'signature_required']);
  });

  test('cannot be repeated by somebody else, nor signed long before', async () => {
    const first = signer.publication(BUY);
    await publisher.published(first);
    expect(await codeOf(await publisher.publish(first))).toEqual([409, 'stale_signature']);
    for (const off of [-31_000, 31_000])
      expect(await codeOf(await publisher.publish(signer.publication(BUY, Date.now() + off)))).toEqual([
        409,
        'stale_signature',
      ]);
    // A retry with its Idempotency-Key gets the first response.
    const keyed = signer.publication(LIMIT);
    const headers = { 'Idempotency-Key': 'signed' };
    const { id } = await publisher.published(keyed, headers);
    expect(await publisher.published(keyed, headers)).toMatchObject({ id });
  });

  test('publishes unsigned again once the key is removed, and a signature without a key is refused', async () => {
    await requestOfLog(service.app.store.access, 'live', {
      kind: 'signing key',
      publisher: publisher.id,
      public_key: null,
    });
    expect(await codeOf(await publisher.publish(signer.publication(BUY)))).toEqual([403, 'invalid_signature']);
    await publisher.published(BUY);
    const keys = await service.app.store.signals.signingKeys();
    expect(keys.find((key) => key.publisher === publisher.id)).toMatchObject({ publicKey: null });
  });
});

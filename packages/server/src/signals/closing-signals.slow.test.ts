import { afterAll, beforeAll, expect, test } from 'bun:test';
import { BUY, codeOf, EURO, LIMIT, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

let service: RunningService;
let market: TestMarket;
let publisher: TestPublisher;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  market = await TestMarket.of(service);
  publisher = await TestPublisher.of(service);
  await market.quote(...EURO);
});
afterAll(() => service.stop());

test('closing after the deadline is too late, even if no tick has closed the signal yet', async () => {
  const expires_at = new Date(Date.now() + 600).toISOString();
  const signals = [
    await publisher.open({ ...BUY, expires_at }, market),
    await publisher.published({ ...LIMIT, expires_at }),
  ];
  await Bun.sleep(Date.parse(expires_at) - Date.now() + 5);
  for (const { id } of signals) {
    expect(await codeOf(await publisher.close(id))).toEqual([409, 'signal_closed']);
    expect(await codeOf(await publisher.amend(id, { stop_loss: 1.0825 }))).toEqual([409, 'signal_closed']);
  }
  // Quotes from before the deadline may be 5 s late.
  await market.quote(...EURO, Date.parse(expires_at) + 5_000);
  for (const { id } of signals) expect(await publisher.ended(id)).toMatchObject({ closed_at: expires_at });
});

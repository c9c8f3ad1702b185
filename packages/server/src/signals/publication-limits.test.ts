// How many signals an account may publish, over a real store and across a restart.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { TIERS } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { BTCUSD, PUBLISHER, RunningSignals } from '../../testing/signals/running-signals.fixture.ts';
import type { ServiceError } from '../errors/service-error.ts';
import { StoreError } from '../errors/store-error.ts';
import type { LimitedPublisher } from './publication-limits.ts';

const FREE: LimitedPublisher = { ...PUBLISHER, publicId: 'pub_free', tierName: 'free', tier: TIERS.free };
const HOUSE: LimitedPublisher = { ...FREE, publicId: 'pub_house', house: true };
/** Noon is the time of the first quote. */
const HALF_DAY_S = DAY_MS / 2_000;

let folder: string;
let running: RunningSignals;
beforeEach(async () => {
  folder = temporaryFolder();
  running = await RunningSignals.open(folder);
  running.quote(0, 99.9, 100);
});
afterEach(async () => {
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function publish(publisher: LimitedPublisher, close = true, key: string | null = null): Promise<string> {
  const request = { symbol: BTCUSD, direction: 'buy', entry: 100, stop_loss: 90, take_profit: 120 } as const;
  const { service } = running.signals;
  const idempotency = key === null ? null : { key, bodyHash: new Uint8Array([1]) };
  const { id } = await service.publish(publisher, request, idempotency);
  // Closes it at once: a request of the publisher would wait for the next quote.
  if (close) await service.void(id, 'over');
  return id;
}
const errorOf = (work: Promise<unknown>): Promise<ServiceError> =>
  work.then(() => null as never).catch((error) => error);

describe('publications per day', () => {
  test('are limited by the tier, whether the signals are closed or not', async () => {
    for (let count = 0; count < 20; count++) await publish(FREE);
    const refused = await errorOf(publish(FREE));
    expect(refused).toMatchObject({ code: 'signals_exhausted', options: { retryAfterSeconds: HALF_DAY_S } });
    expect(refused.message).toBe('The free tier allows 20 signals per day. The count resets in 43200 s, at 00:00 UTC.');
    // Another account is not affected.
    await publish(PUBLISHER);
  });

  test('are exact if many arrive at once, over all keys and sessions', async () => {
    const other = { ...FREE, tier: { ...TIERS.free, active_signals_per_symbol: 100 } };
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => publish(other, false)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  });

  test('survive a restart', async () => {
    for (let count = 0; count < 20; count++) await publish(FREE);
    await running.stop();
    running = await RunningSignals.open(folder, 60);
    running.quote(60, 99.9, 100);
    expect(await errorOf(publish(FREE))).toMatchObject({ code: 'signals_exhausted' });
  });

  test('start over at midnight UTC', async () => {
    for (let count = 0; count < 20; count++) await publish(FREE);
    running.quote(HALF_DAY_S - 1, 99.9, 100);
    expect(await errorOf(publish(FREE))).toMatchObject({
      code: 'signals_exhausted',
      options: { retryAfterSeconds: 1 },
    });
    running.quote(HALF_DAY_S, 99.9, 100);
    await publish(FREE);
  });

  test('do not include rejected, repeated and failed publications', async () => {
    const first = await publish(FREE, true, 'once');
    for (let count = 0; count < 30; count++) expect(await publish(FREE, false, 'once')).toBe(first);
    const unlikely = { symbol: BTCUSD, direction: 'sell', entry: 100, stop_loss: 90, take_profit: 120 } as const;
    for (let count = 0; count < 30; count++)
      expect(await errorOf(running.signals.service.publish(FREE, unlikely, null))).toMatchObject({
        code: 'levels_out_of_order',
      });
    const { write } = running.store.signals;
    running.store.signals.write = () => Promise.reject(new StoreError('full'));
    expect(await errorOf(publish(FREE))).toMatchObject({ code: 'store_unavailable' });
    running.store.signals.write = write;
    for (let count = 1; count < 20; count++) await publish(FREE);
    expect(await errorOf(publish(FREE))).toMatchObject({ code: 'signals_exhausted' });
  });

  test('of example publishers are not limited', async () => {
    for (let count = 0; count < 25; count++) await publish(HOUSE);
  });
});

describe('active signals of an instrument', () => {
  test('are limited by the tier, also after a restart, and a closed one makes room', async () => {
    const ids = [];
    for (let count = 0; count < 5; count++) ids.push(await publish(FREE, false));
    const refused = await errorOf(publish(FREE));
    expect(refused).toMatchObject({ code: 'too_many_signals_of_symbol' });
    expect(refused.message).toBe(
      'The free tier allows 5 active signals of an instrument; this account has 5 of BTCUSD.',
    );
    await running.stop();
    running = await RunningSignals.open(folder, 60);
    running.quote(60, 99.9, 100);
    expect(await errorOf(publish(FREE))).toMatchObject({ code: 'too_many_signals_of_symbol' });
    await running.signals.service.void(ids[0]!, 'over');
    await publish(FREE);
  });

  test('of example publishers are limited, too', async () => {
    for (let count = 0; count < 5; count++) await publish(HOUSE, false);
    expect(await errorOf(publish(HOUSE))).toMatchObject({ code: 'too_many_signals_of_symbol' });
  });
});

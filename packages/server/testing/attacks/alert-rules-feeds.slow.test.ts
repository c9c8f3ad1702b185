// Alert rules about feeds and the tape fire for a venue that is down, trades that cannot be fetched, and a store that cannot write.
import { describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE } from '@tickwire/engine';
import { StoreError } from '../../src/errors/store-error.ts';
import { type MarketWriter, marketModule } from '../../src/market/module.ts';
import { Recorder } from '../../src/market/recorder.ts';
import { silentLog } from '../../src/ops/log.ts';
import { Histogram, Metrics } from '../../src/ops/metrics.ts';
import { alertsOf, hasPromtool, scrapeOf } from '../alert-rules.fixture.ts';
import { fakeKraken } from '../feeds/fake-kraken.fixture.ts';
import { FakeVenue } from '../feeds/fake-venue.fixture.ts';
import { tickEvents } from '../market-events.fixture.ts';
import { metric } from '../metric.fixture.ts';
import { eventually } from '../process.fixture.ts';
import { startService, temporaryFolder } from '../service.fixture.ts';

describe.skipIf(!hasPromtool)('alert rules', () => {
  test('for a venue that is down, and a gap that cannot be filled', async () => {
    const folder = temporaryFolder();
    await using kraken = new FakeVenue(fakeKraken(), { heartbeatMs: 100 });
    const config = join(folder, 'tickwire.json');
    const { wsUrl: ws_url, restUrl: rest_url } = kraken;
    writeFileSync(config, JSON.stringify({ venues: { kraken: { ws_url, rest_url, symbols: { BTCUSD: 'BTC/USD' } } } }));
    const service = await startService({ feeds: 'kraken', config, metrics_port: '0', data: join(folder, 'data') });
    try {
      const has = (name: string, value: number): Promise<void> =>
        eventually(`${name} is ${value}`, async () => {
          kraken.quote('BTC/USD');
          return (await metric(service, `${name}{feed="kraken"}`)) === value;
        });
      const scrape = (): Promise<string> => scrapeOf(service.app.metricsUrl);
      await has('tickwire_feed_live', 1);
      await eventually('trades', async () => {
        kraken.trade('BTC/USD');
        return (await metric(service, 'tickwire_ticks_accepted_total')) > 3;
      });
      const before = await scrape();
      await kraken.down();
      await has('tickwire_feed_live', 0);
      const down = await scrape();
      kraken.trade('BTC/USD', 10, 'lost');
      kraken.isRestDown = true;
      kraken.up();
      await has('tickwire_feed_gaps_total', 1);
      const gap = await scrape();
      const wanted = [[], ['TickwireFeedDown'], ['TickwireFeedGap']];
      expect(await alertsOf([before, down, gap], wanted)).toBe('as wanted');
    } finally {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('for ticks that are dropped because the store cannot write them', async () => {
    const store = { writeTape: () => Promise.reject(new StoreError('full')) } as never;
    const recorder = new Recorder({
      store,
      instruments: CATALOGUE,
      log: silentLog,
      barsUntil: 0,
      maxWaitingTicks: 1_000,
    });
    const intake = { accepted: 0, refused: new Map(), latency: new Histogram() };
    const checks = (): Record<string, string> => ({ store: 'ok' });
    const writer = { recorder, intake, engine: { lateTicks: 0 }, feeds: () => null, spikes: null, checks };
    const metrics = new Metrics();
    const parts = { writer: writer as unknown as MarketWriter, instruments: CATALOGUE, catalogue: {}, market: {} };
    marketModule(parts as never).metrics?.(metrics);
    const before = metrics.render();
    for (let batch = 0; batch < 3; batch++) {
      recorder.read({ firstSeq: 1 + 500 * batch, source: 'test', events: tickEvents(500) });
      await recorder.flush();
    }
    expect(recorder.ticksLost).toBeGreaterThan(0);
    expect(await alertsOf([before, metrics.render()], [[], ['TickwireTicksLost']])).toBe('as wanted');
  });
});

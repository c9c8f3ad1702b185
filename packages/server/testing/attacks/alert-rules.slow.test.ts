// Alert rules fire in Prometheus for a real fault, and none fires before it. promtool evaluates the rules on what the service showed
// before and after the fault. Those about the load of a process, feeds and a cluster are in files beside this one.
import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FiringWriter } from '../../src/alerts/firing-writer.ts';
import { alertsModule } from '../../src/alerts/module.ts';
import type { Alerts } from '../../src/alerts/open-alerts.ts';
import { StoreError } from '../../src/errors/store-error.ts';
import { silentLog } from '../../src/ops/log.ts';
import { Metrics } from '../../src/ops/metrics.ts';
import { alertsOf, hasPromtool, MINUTES, scrapeOf, type Target } from '../alert-rules.fixture.ts';
import { AlertUser, crossing } from '../alert-user.fixture.ts';
import { FAKE_DISCORD_TOKEN } from '../delivery/fake-discord.fixture.ts';
import { FAKE_BOT_TOKEN } from '../delivery/fake-telegram.fixture.ts';
import { freePort } from '../free-port.fixture.ts';
import { metric } from '../metric.fixture.ts';
import { eventually, ServiceProcess } from '../process.fixture.ts';
import { TestMarket } from '../publisher.fixture.ts';
import { type RunningService, type Settings, startService, temporaryFolder } from '../service.fixture.ts';
import { destination, message } from '../store/alert-samples.fixture.ts';
import { StreamClient } from '../stream-client.fixture.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const settings = { feeds: 'push', spike_percent: '50', metrics_port: '0', news: 'none', calendar: 'none' };

describe.skipIf(!hasPromtool)('alert rules', () => {
  const withService = async (
    work: (service: RunningService, market: TestMarket) => Promise<void>,
    more: Settings = {},
  ): Promise<void> => {
    const tier = { requests_per_minute: 1_000, streams: 1, ai_calls_per_day: 0, alerts: 20, deliveries_per_day: 0 };
    const config = join(folder, 'tickwire.json');
    writeFileSync(config, JSON.stringify({ tiers: { mute: tier } }));
    const service = await startService({ ...settings, ...more, config });
    try {
      const market = await TestMarket.of(service);
      await market.quote('BTCUSD', 50_000, 50_001);
      await work(service, market);
    } finally {
      await service.stop();
    }
  };

  test(
    'for a feed that is connected and delivers nothing',
    () =>
      withService(async (service) => {
        const other = await startService(settings);
        const silent = await scrapeOf(other.app.metricsUrl);
        await other.stop();
        const quiet = await scrapeOf(service.app.metricsUrl);
        const scrapes = [quiet, silent, silent, silent];
        expect(await alertsOf(scrapes, [[], [], ['TickwireFeedStale']])).toBe('as wanted');
        // The check can fail.
        expect(await alertsOf(scrapes, [['TickwireFeedStale'], [], []])).toContain('FAILED');
      }),
    60_000,
  );

  test(
    'for messages that are given up, and for messages that no node sends',
    () =>
      withService(async ({ app, ...service }, market) => {
        const before = await scrapeOf(app.metricsUrl);
        const user = await AlertUser.of({ app, ...service }, 'mute');
        const deliver = [{ channel: 'webhook', url: 'https://receiver.example/' }];
        for (let level = 1; level <= 12; level++)
          await user.alert({ symbol: 'BTCUSD', condition: crossing(50_000 + 100 * level), deliver });
        await market.quote('BTCUSD', 60_000, 60_001);
        // The channel was configured when the message was written.
        const at = Date.now() - 600_000;
        await app.store.delivery.putDestination(destination('dst_old', { channel: 'telegram' }));
        await app.store.delivery.addMessages([
          message('msg_old', { destination: 'dst_old', createdAt: at, notBefore: at }),
        ]);
        const counted = async () => (await metric({ app, ...service }, 'tickwire_messages_dead')) === 12;
        await eventually('the messages are counted', counted, 20_000);
        const after = await scrapeOf(app.metricsUrl);
        const wanted = ['TickwireDeliveryLate', 'TickwireMessagesDead'];
        expect(await alertsOf([before, after], [[], wanted])).toBe('as wanted');
      }),
    60_000,
  );

  test(
    'for a store that cannot write firings',
    () =>
      withService(async (service, market) => {
        const user = await AlertUser.of(service, 'mute');
        await user.alert({ symbol: 'BTCUSD', condition: crossing(50_100) });
        const before = await scrapeOf(service.app.metricsUrl);
        using other = new Database(join(service.folder, 'live', 'market.db'));
        other.run("CREATE TRIGGER full BEFORE INSERT ON firings BEGIN SELECT RAISE(ABORT, 'full'); END");
        await market.quote('BTCUSD', 60_000, 60_001);
        await eventually('the failure', async () => (await metric(service, 'tickwire_store_ok')) === 0);
        const after = await scrapeOf(service.app.metricsUrl);
        other.run('DROP TRIGGER full');
        expect(await alertsOf([before, after], [[], ['TickwireStoreCannotWrite']])).toBe('as wanted');
      }),
    60_000,
  );

  test.each(['all', null] as const)(
    'for a single process that does not answer, and none while it does, with the label role %p',
    async (role) => {
      const service = await startService({ metrics_port: '0' });
      await eventually('ticks', async () => (await metric(service, 'tickwire_tape_ticks_written_total')) > 0);
      const text = await scrapeOf(service.app.metricsUrl);
      await service.stop();
      const target = (each: string | null): readonly Target[] => [{ role, instance: 'it', text: each }];
      const wanted = ['TickwireNobodyServed', 'TickwireProcessDown'];
      const scrapes = [...Array.from({ length: 10 }, () => target(text)), target(null)];
      expect(await alertsOf(scrapes, [...Array.from({ length: 10 }, () => []), wanted])).toBe('as wanted');
    },
  );

  test(
    'for server errors, refused ticks and refused connections',
    () =>
      withService(
        async (service, market) => {
          const { app, url, wsUrl, folder: data } = service;
          using other = new Database(join(data, 'live', 'market.db'));
          other.run('ALTER TABLE messages RENAME TO moved');
          const user = await AlertUser.of(service, 'mute');
          const fail = async (): Promise<void> => expect((await user.send('GET', '/api/deliveries')).status).toBe(503);
          // Prometheus counts from the second sample of a series.
          await fail();
          const before = await scrapeOf(app.metricsUrl);
          for (let count = 0; count < 200; count++) await fail();
          other.run('ALTER TABLE moved RENAME TO messages');
          const open = () => StreamClient.open(`${wsUrl}/ws/market`, user.key);
          const stream = await open();
          await open().catch(() => {});
          stream.close();
          const { key } = await service.key('premium', ['ingest']);
          const headers = { 'X-API-Key': key, 'Content-Type': 'application/x-ndjson' };
          const scrapes: string[] = [];
          for (let price = 50_000; scrapes.length < 3; price += 10_000) {
            const crossed = { symbol: 'BTCUSD', time: new Date().toISOString(), bid: price, ask: price - 1 };
            const body = Array.from({ length: 50 }, () => JSON.stringify(crossed)).join('\n');
            await fetch(`${url}/ingest/ticks`, { method: 'POST', body, headers });
            await market.quote('BTCUSD', price, price + 1);
            scrapes.push(await scrapeOf(app.metricsUrl));
          }
          const wanted = [['TickwireErrors', 'TickwireFull'], [], ['TickwireRefusesTicks']];
          expect(await alertsOf([before, ...scrapes], [[], ...wanted])).toBe('as wanted');
        },
        { max_connections: '1' },
      ),
    60_000,
  );

  test('for sources of news and calendar, and bots of chats, that do not respond', async () => {
    const news = join(folder, 'news.json');
    const calendar = join(folder, 'calendar.json');
    const url = `http://127.0.0.1:${await freePort()}/`;
    const bots = {
      telegram_bot_token: FAKE_BOT_TOKEN,
      discord_bot_token: FAKE_DISCORD_TOKEN,
      telegram_api_url: url,
      discord_api_url: url,
    };
    writeFileSync(news, JSON.stringify({ sources: [{ name: 'Gone', url }] }));
    writeFileSync(calendar, JSON.stringify({ sources: [{ name: 'Gone', url, country: 'US' }] }));
    await withService(
      async (service) => {
        const all = async (): Promise<boolean> =>
          (await scrapeOf(service.app.metricsUrl)).match(/_(source|bot)_ok\{\w+="\w+"\} 0/g)?.length === 4;
        await eventually('all fail', all, 20_000);
        const failing = await scrapeOf(service.app.metricsUrl);
        const after = [
          ['TickwireCalendarSourceDown', 120],
          ['TickwireChatBotDown', 10],
          ['TickwireNewsSourceDown', 30],
        ] as const;
        const wanted = Array.from({ length: 120 / MINUTES + 1 }, (_, at) =>
          after.flatMap(([alert, minutes]) => (at >= Math.floor(minutes / MINUTES) ? [alert] : [])),
        );
        expect(
          await alertsOf(
            wanted.map(() => failing),
            wanted,
          ),
        ).toBe('as wanted');
      },
      { news, calendar, ...bots },
    );
  });

  test('for firings that are dropped because too many wait', async () => {
    const marks = { judgedUntil: 0, signalN: 0, newsAt: 0 };
    const store = { write: () => Promise.reject(new StoreError('full')) };
    const writer = new FiringWriter({ store, marks: () => marks, onWritten: () => {}, log: silentLog });
    const judge = { judgingMs: 0 };
    const alerts = { judge, writer, active: () => ({ alerts: 0, subscriptions: 0 }) } as unknown as Alerts;
    const metrics = new Metrics();
    const unused = {} as never;
    alertsModule({ ...{ writer: alerts, store: unused, resolve: unused, secrets: unused } }).metrics?.(metrics);
    const before = metrics.render();
    const firing = { account: 'pub_a', alert: 'alr_1', build: () => unused, progress: null, before: marks };
    for (let count = 0; count <= 20_000; count++) writer.add(firing);
    const after = metrics.render();
    await writer.stop();
    expect(await alertsOf([before, after], [[], ['TickwireFiringsDropped']])).toBe('as wanted');
  });

  test('for a process that starts again and again', async () => {
    const scrapes: string[] = [];
    for (let start = 0; start < 4; start++) {
      const service = await ServiceProcess.start({ ...settings, data: folder, house: 'none' });
      scrapes.push(await scrapeOf(/Metrics +(\S+)\/metrics/.exec(service.out)![1]!));
      await service.kill();
    }
    // Nobody pushes.
    const stale = 'TickwireFeedStale';
    expect(await alertsOf(scrapes, [[], [stale], [stale], [stale, 'TickwireRestarts']])).toBe('as wanted');
  });
});

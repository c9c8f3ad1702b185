// Alert rules about the load of a process fire for reads that take long, readers that stall, and memory that is held.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TIERS } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { alertsOf, hasPromtool, scrapeOf } from '../alert-rules.fixture.ts';
import { shareOfCore } from '../event-loop.fixture.ts';
import { tickEvents } from '../market-events.fixture.ts';
import { metric } from '../metric.fixture.ts';
import { clientFrame, type RawSocket, rawStream } from '../raw-socket.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../service.fixture.ts';

/** The rule about slow readers needs more than 100 connections. */
const CONNECTIONS = 101;
const MEMORY = 1.6e9;

describe.skipIf(!hasPromtool)('alert rules', () => {
  const folder = temporaryFolder();
  let service: RunningService;
  let key: string;
  let idle: string;
  beforeAll(async () => {
    const config = join(folder, 'tickwire.json');
    writeFileSync(config, JSON.stringify({ tiers: { wide: { ...TIERS.premium, streams: CONNECTIONS } } }));
    service = await startService({ metrics_port: '0', config });
    ({ key } = await service.key('wide'));
    idle = await scrape();
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const scrape = (): Promise<string> => scrapeOf(service.app.metricsUrl);

  test('for responses that take long, and a core that is full', async () => {
    const slow: string[] = [];
    const core = await shareOfCore(async () => {
      while (slow.length < 2) {
        const from = new Date(Date.now() - 270 * DAY_MS).toISOString();
        const path = `/api/bars/BTCUSD?interval=1d&from=${from}&limit=10000&fields=trades,vwap`;
        expect((await fetch(service.url + path, { headers: { 'X-API-Key': key } })).status).toBe(200);
        slow.push(await scrape());
      }
    });
    const last = slow[1]!;
    const wanted = [[], [], ['TickwireSlowAnswers'], [], ['TickwireCoreFull']];
    expect(await alertsOf([idle, ...slow, last, last], wanted, core)).toBe('as wanted');
  });

  test('for many readers that stall', async () => {
    const before = await scrape();
    const sockets: RawSocket[] = [];
    while (sockets.length < CONNECTIONS) sockets.push(await rawStream(service.url, '/ws/market', key));
    const scrapes: string[] = [];
    for (let stalled = 3; stalled <= 6; stalled += 3) {
      for (const socket of sockets.slice(stalled - 3, stalled)) {
        socket.write(clientFrame(1, '{"action":"subscribe","symbols":["EURUSD"]}'));
        await socket.until(({ received }) => received.includes('"subscribed"'));
        socket.pause();
      }
      while ((await metric(service, 'tickwire_ws_slow_total')) < stalled) service.app.journal.append(tickEvents(1_000));
      scrapes.push(await scrape());
    }
    for (const socket of sockets) socket.destroy();
    expect(await alertsOf([before, ...scrapes], [[], [], ['TickwireManySlowReaders']])).toBe('as wanted');
  });

  test('for memory that is held', async () => {
    const held = Buffer.alloc(MEMORY, 1);
    const full = await scrape();
    expect(held).toHaveLength(MEMORY);
    const wanted = [[], [], [], [], ['TickwireMemory']];
    expect(await alertsOf([idle, full, full, full, full], wanted)).toBe('as wanted');
  });
});

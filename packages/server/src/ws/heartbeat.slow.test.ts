// Heartbeats, which tell a quiet market from a dead feed.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { CHANNELS, type Channel, HeartbeatNotice } from '@tickwire/contract';
import type { z } from 'zod';
import { alertEvent } from '../../testing/alerts.fixture.ts';
import { appendEvents, flowEvents, tickEvents } from '../../testing/market-events.fixture.ts';
import { newsEvent } from '../../testing/news.fixture.ts';
import { RawClient } from '../../testing/raw-client.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { signalEvent } from '../../testing/signals.fixture.ts';
import { isData, isEvent, type Message, StreamClient } from '../../testing/stream-client.fixture.ts';

let service: RunningService;
let key: string;
/** Public id of the account of the key. */
let account: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  const issued = await service.key('premium');
  key = issued.key;
  account = issued.account.publicId;
});
afterAll(() => service.stop());

const opened: StreamClient[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});
async function open(channel: Channel): Promise<StreamClient> {
  const stream = await StreamClient.open(`${service.wsUrl}/ws/${channel}`, key);
  opened.push(stream);
  return stream;
}
const beat = async (stream: StreamClient): Promise<z.infer<typeof HeartbeatNotice>> =>
  HeartbeatNotice.strict().parse(await stream.next(isEvent('heartbeat')));
const agesOf = async (stream: StreamClient): Promise<Record<string, number | null>> => (await beat(stream)).ages;

describe('a heartbeat', () => {
  test('is sent at the requested interval, with the age of the last tick of each symbol', async () => {
    service.app.journal.append([...tickEvents(1), ...flowEvents(1, ['XAUUSD'])]);
    const at = Date.now();
    const [market, flow, none] = [await open('market'), await open('orderflow'), await open('market')];
    const symbols = ['EURUSD', 'XAUUSD'];
    const answer = await market.ask({ action: 'subscribe', symbols, heartbeat: 1 });
    expect(answer).toMatchObject({ event: 'subscribed', symbols });
    await flow.ask({ action: 'subscribe', symbols, heartbeat: 1 });
    await none.ask({ action: 'subscribe', symbols });
    const beats = [await beat(market), await beat(market)];
    const [first, second] = beats.map(({ server_time }) => Date.parse(server_time)) as [number, number];
    // The sweep runs ten times per second.
    expect(second - first).toBeGreaterThanOrEqual(1_000);
    expect(second - first).toBeLessThan(2_000);
    expect(Math.abs(first - at - 1_000)).toBeLessThan(1_500);
    for (const { ages, server_time } of beats) {
      // A trade is not a tick, and nothing else was sent.
      expect(Object.entries(ages)).toEqual([
        ['EURUSD', expect.any(Number)],
        ['XAUUSD', null],
      ]);
      expect(Math.abs(ages.EURUSD! - (Date.parse(server_time) - at) / 1000)).toBeLessThan(0.5);
    }
    const grown = beats[1]!.ages.EURUSD! - beats[0]!.ages.EURUSD!;
    expect(Math.abs(grown - (second - first) / 1000)).toBeLessThan(0.01);
    expect(await agesOf(flow)).toEqual({ EURUSD: null, XAUUSD: expect.any(Number) });
    await none.ask({ action: 'ping' });
    expect(none.messages.some(isEvent('heartbeat'))).toBe(false);
  });

  test('names the newest subscribed message, after that message, and uses the last requested interval', async () => {
    const stream = await open('market');
    const { epoch } = await stream.ask({ action: 'subscribe', symbols: ['EURUSD'], seq: true, heartbeat: 60 });
    await stream.ask({ action: 'subscribe', symbols: ['GBPUSD'], seq: true, heartbeat: 1 });
    // In a running market, a client that has read up to the heartbeat has seen the message it names.
    let running = true;
    const market = (async () => {
      while (running) {
        service.app.journal.append(tickEvents(3, ['EURUSD', 'GBPUSD']));
        await Bun.sleep(0);
      }
    })();
    const { seq } = await beat(stream);
    running = false;
    await market;
    const at = stream.messages.findIndex((message) => isEvent('heartbeat')(message) && message.seq === seq);
    const last = stream.messages.slice(0, at).findLast(isData);
    expect(last!.seq).toBe(seq);
    // A subscription without heartbeat keeps the interval; other symbols do not count.
    const newest = service.app.journal.lastSeq;
    await stream.ask({ action: 'subscribe', symbols: ['AUDNZD'], seq: true });
    await appendEvents(service, tickEvents(5, ['BTCUSD']));
    const { ages, ...rest } = await beat(stream);
    expect(rest).toMatchObject({ seq: newest, epoch });
    expect(Object.keys(ages)).toEqual(['EURUSD', 'GBPUSD', 'AUDNZD']);
    // The market has moved again: the age starts over.
    expect(ages.EURUSD!).toBeLessThan(1.5);
  });

  test('is sent on every channel with epoch and newest number, from which a client can resume', async () => {
    // Simulated markets have no perpetuals.
    const channels = CHANNELS.filter((channel) => channel !== 'perpetual');
    const streams = await Promise.all(channels.map(open));
    const answers = await Promise.all(
      streams.map((stream) => stream.ask({ action: 'subscribe', symbols: ['AUDUSD'], seq: true, heartbeat: 1 })),
    );
    // Before the first message.
    const empty = await Promise.all(streams.map(beat));
    const gone = await Promise.all(channels.map(open));
    const subscribe = { action: 'subscribe', symbols: ['AUDUSD'], seq: true };
    for (const [at, stream] of gone.entries()) {
      await stream.ask({ ...subscribe, resume_from: { epoch: empty[at]!.epoch, seq: empty[at]!.seq } });
      await stream.ask({ action: 'ping' });
      expect(stream.messages.map(({ event }) => event)).toEqual(['subscribed', 'pong']);
    }
    service.app.journal.append([
      ...tickEvents(1, ['AUDUSD']),
      ...flowEvents(1, ['AUDUSD']),
      signalEvent('sig_beat', 'AUDUSD'),
      newsEvent('news_beat', { symbols: ['AUDUSD'] }),
      alertEvent('fir_beat', { symbol: 'AUDUSD' }, account),
    ]);
    for (const [at, stream] of streams.entries()) {
      const { seq } = await stream.next(isData);
      const { seq: newest, epoch } = await beat(stream);
      expect([newest, epoch]).toEqual([Number(seq), String(answers[at]!.epoch)]);
      expect(await gone[at]!.next(isData)).toMatchObject({ seq });
    }
  });

  test('never names a message that a resuming client still has to get', async () => {
    const from = { epoch: service.app.journal.epoch, seq: service.app.journal.lastSeq };
    await appendEvents(service, tickEvents(100_000));
    const client = await RawClient.open(service, 'market', key);
    await client.ask({ action: 'subscribe', symbols: ['EURUSD'], seq: true, heartbeat: 1, resume_from: from });
    client.pause();
    await Bun.sleep(1_200);
    client.resume();
    await client.first(isEvent('heartbeat'));
    client.leave();
    const at = client.messages.findIndex(isEvent('heartbeat'));
    const last = client.messages.slice(0, at).findLast(isData)!;
    expect([last.seq, client.messages[at]!.seq]).toEqual([service.app.journal.lastSeq, service.app.journal.lastSeq]);
  });

  test('must have an interval from one second to one minute', async () => {
    const stream = await open('market');
    for (const heartbeat of [0, 61, -1, 1.5, '5', true, null] satisfies Message[string][]) {
      const answer = await stream.ask({ action: 'subscribe', symbols: ['EURUSD'], heartbeat });
      expect(answer).toMatchObject({ event: 'error', code: 'invalid_message', fatal: false });
      expect(String(answer.message)).toStartWith('heartbeat must be ');
    }
    expect(await stream.ask({ action: 'list' })).toMatchObject({ symbols: [] });
  });
});

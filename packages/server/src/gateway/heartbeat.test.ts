// Heartbeats: a quiet market and a dead feed look different.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { CHANNELS, type Channel, HeartbeatNotice } from '@tickwire/contract';
import type { z } from 'zod';
import { bring, flowEvents, tickEvents } from '../testing/market-events.fixture.ts';
import { newsEvent } from '../testing/news.fixture.ts';
import { RawReader } from '../testing/raw-reader.fixture.ts';
import { type RunningService, startService } from '../testing/service.fixture.ts';
import { signalEvent } from '../testing/signals.fixture.ts';
import { isData, isEvent, type Message, StreamClient } from '../testing/stream-client.fixture.ts';

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  key = (await service.key('premium')).key;
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
  test('comes as often as asked for, and says how long each symbol has been quiet', async () => {
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
    // The sweep looks ten times a second.
    expect(second - first).toBeGreaterThanOrEqual(1_000);
    expect(second - first).toBeLessThan(2_000);
    expect(Math.abs(first - at - 1_000)).toBeLessThan(1_500);
    for (const { ages, server_time } of beats) {
      // A trade is no tick, and nothing else has come.
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
  }, 10_000);

  test('names the newest message of what is subscribed, after that message, and goes by the latest wish', async () => {
    const stream = await open('market');
    const { epoch } = await stream.ask({ action: 'subscribe', symbols: ['EURUSD'], seq: true, heartbeat: 60 });
    await stream.ask({ action: 'subscribe', symbols: ['GBPUSD'], seq: true, heartbeat: 1 });
    // A market that runs: whoever has read up to the heartbeat has seen what it names.
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
    // A subscription that does not mention it leaves it as it is; what happens elsewhere does not count.
    const newest = service.app.journal.lastSeq;
    await stream.ask({ action: 'subscribe', symbols: ['AUDNZD'], seq: true });
    await bring(service, tickEvents(5, ['BTCUSD']));
    const { ages, ...rest } = await beat(stream);
    expect(rest).toMatchObject({ seq: newest, epoch });
    expect(Object.keys(ages)).toEqual(['EURUSD', 'GBPUSD', 'AUDNZD']);
    // The market has moved again: the age has started over.
    expect(ages.EURUSD!).toBeLessThan(1.5);
  }, 10_000);

  test('comes on every channel, with its epoch and newest number, from which one can come back', async () => {
    const streams = await Promise.all(CHANNELS.map(open));
    const answers = await Promise.all(
      streams.map((stream) => stream.ask({ action: 'subscribe', symbols: ['AUDUSD'], seq: true, heartbeat: 1 })),
    );
    // Before anything has come of it.
    const empty = await Promise.all(streams.map(beat));
    const gone = await Promise.all(CHANNELS.map(open));
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
    ]);
    for (const [at, stream] of streams.entries()) {
      const { seq } = await stream.next(isData);
      const { seq: newest, epoch } = await beat(stream);
      expect([newest, epoch]).toEqual([Number(seq), String(answers[at]!.epoch)]);
      expect(await gone[at]!.next(isData)).toMatchObject({ seq });
    }
  }, 10_000);

  test('never names what a reader that comes back has still to get', async () => {
    const from = { epoch: service.app.journal.epoch, seq: service.app.journal.lastSeq };
    await bring(service, tickEvents(100_000));
    const reader = await RawReader.open(service, 'market', key);
    await reader.ask({ action: 'subscribe', symbols: ['EURUSD'], seq: true, heartbeat: 1, resume_from: from });
    reader.pause();
    await Bun.sleep(1_200);
    reader.resume();
    await reader.first(isEvent('heartbeat'));
    reader.leave();
    const at = reader.messages.findIndex(isEvent('heartbeat'));
    const last = reader.messages.slice(0, at).findLast(isData)!;
    expect([last.seq, reader.messages[at]!.seq]).toEqual([service.app.journal.lastSeq, service.app.journal.lastSeq]);
  }, 10_000);

  test('is no more than one a second and no less than one a minute, else an error', async () => {
    const stream = await open('market');
    for (const heartbeat of [0, 61, -1, 1.5, '5', true, null] satisfies Message[string][]) {
      const answer = await stream.ask({ action: 'subscribe', symbols: ['EURUSD'], heartbeat });
      expect(answer).toMatchObject({ event: 'error', code: 'invalid_message', fatal: false });
      expect(String(answer.message)).toStartWith('heartbeat: ');
    }
    expect(await stream.ask({ action: 'list' })).toMatchObject({ symbols: [] });
  });
});

// Clients that resume too late, or from another run: they get a gap notice and start over with a snapshot.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { Channel, StreamPosition } from '@tickwire/contract';
import { expectContinuity } from '../../testing/continuity.fixture.ts';
import { appendEvents, flowEvents, tickEvents } from '../../testing/market-events.fixture.ts';
import { TestMarket } from '../../testing/publisher.fixture.ts';
import { RawClient } from '../../testing/raw-client.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { isData, isEvent, type Message, ofSymbol, StreamClient } from '../../testing/stream-client.fixture.ts';

const KEPT = 16_384;
let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push', resume_messages: String(KEPT) });
  key = (await service.key('premium')).key;
  await appendEvents(service, [
    ...tickEvents(3, ['EURUSD', 'XAUUSD', 'BTCUSD']),
    ...flowEvents(2, ['EURUSD', 'XAUUSD']),
  ]);
});
afterAll(() => service.stop());

const here = (): StreamPosition => ({ epoch: service.app.journal.epoch, seq: service.app.journal.lastSeq });
const resume = (from: object, symbols: readonly string[] = ['EURUSD', 'XAUUSD']): Message => ({
  action: 'subscribe',
  symbols,
  seq: true,
  resume_from: from,
});
/** Everything up to the end of this request: the answer to a ping comes after it. */
async function answers(stream: StreamClient, message: Message): Promise<Message[]> {
  const { length } = stream.messages;
  await stream.ask(message);
  await stream.ask({ action: 'ping' });
  return stream.messages.slice(length, -1);
}

describe('a gap is declared', () => {
  const open = (channel: Channel): Promise<StreamClient> => StreamClient.open(`${service.wsUrl}/ws/${channel}`, key);
  const MAKERS = { market: tickEvents, orderflow: flowEvents } as const;

  test.each(['market', 'orderflow'] as const)('on /ws/%s if the position is older than the ring', async (channel) => {
    const from = here();
    await appendEvents(service, MAKERS[channel](KEPT + 1, ['EURUSD', 'XAUUSD']));
    const to = service.app.journal.lastSeq;
    const stream = await open(channel);
    const [subscribed, gap, ...snapshots] = await answers(stream, resume(from));
    expect(subscribed).toMatchObject({ event: 'subscribed', symbols: ['EURUSD', 'XAUUSD'], epoch: from.epoch });
    expect(gap).toEqual({
      event: 'gap',
      reason: 'resume',
      symbols: ['EURUSD', 'XAUUSD'],
      from_seq: from.seq + 1,
      to_seq: to,
      fill: '/api/market/{symbol}?timeframe=1m&from={since}',
    });
    const volume = channel === 'market' ? { volume: 0 } : { bid_volume: 0, ask_volume: 0, delta: 0 };
    expect(snapshots).toMatchObject([
      { symbol: 'EURUSD', ...volume },
      { symbol: 'XAUUSD', ...volume },
    ]);
    await appendEvents(service, MAKERS[channel](4, ['EURUSD', 'XAUUSD']));
    const live = await stream.take(4, isData);
    expectContinuity([...snapshots, ...live]);
    stream.close();
  });

  test('not too early: the oldest position in the ring is replayed', async () => {
    const from = here();
    await appendEvents(service, tickEvents(KEPT, ['EURUSD', 'BTCUSD']));
    const stream = await open('market');
    const replayed = await answers(stream, resume(from, ['EURUSD']));
    await stream.ask({ action: 'list' });
    await appendEvents(service, tickEvents(1));
    await stream.next(({ seq }) => seq === service.app.journal.lastSeq);
    const data = stream.messages.filter(isData);
    expect(replayed.some(isEvent('gap'))).toBe(false);
    expect(data).toHaveLength(KEPT / 2 + 1);
    expectContinuity(data);
    stream.close();
  });

  test('with the endpoint that fills it', async () => {
    const market = await TestMarket.of(service);
    const at = Date.now();
    await market.quote('GBPUSD', 1.2, 1.2001, at);
    const stream = await open('market');
    const [, gap] = await answers(stream, resume({ epoch: 'another', seq: 7 }, ['GBPUSD']));
    const path = String(gap!.fill)
      .replace('{symbol}', 'GBPUSD')
      .replace('{since}', String(Math.floor(at / 60_000) * 60));
    const answer = await fetch(service.url + path, { headers: { 'X-API-Key': key } });
    const { ohlcv } = (await answer.json()) as { ohlcv: { close: number }[] };
    expect([answer.status, ohlcv[0]?.close]).toEqual([200, 1.2]);
    stream.close();
  });

  test.each([
    ['another epoch', (): StreamPosition => ({ epoch: 'ffffffffffff', seq: here().seq })],
    ['a seq beyond the newest', (): StreamPosition => ({ ...here(), seq: here().seq + 1 })],
  ])('for %s', async (_, from) => {
    const stream = await open('market');
    const position = from();
    const [, gap, snapshot] = await answers(stream, resume(position, ['XAUUSD']));
    expect(gap).toMatchObject({ event: 'gap', reason: 'resume', symbols: ['XAUUSD'] });
    // There is no range between a position beyond the newest and the newest.
    for (const field of ['from_seq', 'to_seq']) expect(gap).not.toHaveProperty(field);
    expect(snapshot).toMatchObject({ symbol: 'XAUUSD', volume: 0, epoch: here().epoch });
    await appendEvents(service, tickEvents(1, ['XAUUSD']));
    expect((await stream.next(isData)).prev).toBe(snapshot!.seq!);
    stream.close();
  });

  test('only for new subscriptions', async () => {
    const stream = await open('market');
    await answers(stream, { action: 'subscribe', symbols: ['EURUSD'], seq: true });
    const [, gap, ...snapshots] = await answers(stream, resume({ epoch: 'another', seq: 1 }));
    expect(gap).toMatchObject({ symbols: ['XAUUSD'] });
    expect(snapshots.map(({ symbol }) => symbol)).toEqual(['XAUUSD']);
    expect(await answers(stream, resume({ epoch: 'another', seq: 1 }))).toHaveLength(1);
    stream.close();
  });

  test('not for a symbol without new events', async () => {
    const from = here();
    await appendEvents(service, tickEvents(1, ['XAUUSD']));
    await appendEvents(service, tickEvents(KEPT + 10, ['BTCUSD']));
    const stream = await open('market');
    const [, gap, ...snapshots] = await answers(stream, resume(from));
    expect(gap).toMatchObject({ event: 'gap', symbols: ['XAUUSD'] });
    expect(snapshots.map(({ symbol }) => symbol)).toEqual(['XAUUSD']);
    const other = await open('market');
    expect(await answers(other, resume(from, ['EURUSD']))).toHaveLength(1);
    await appendEvents(service, tickEvents(1));
    for (const each of [stream, other]) {
      expect((await each.next(ofSymbol('EURUSD'))).seq).toBe(here().seq);
      each.close();
    }
  });

  test('to a client so slow that the ring overtakes its replay', async () => {
    const from = here();
    await appendEvents(service, tickEvents(KEPT, ['EURUSD', 'XAUUSD']));
    const client = await RawClient.open(service, 'market', key);
    client.send(resume(from));
    await client.until(() => client.messages.some(isData), 'the first of the replay');
    // Everything it still has to get leaves the ring.
    service.app.journal.append(tickEvents(KEPT, ['BTCUSD']));
    const gap = await client.first(isEvent('gap'));
    await appendEvents(service, tickEvents(6, ['EURUSD', 'XAUUSD']));
    await client.first(({ seq }) => seq === service.app.journal.lastSeq);
    const at = client.messages.indexOf(gap);
    const [before, after] = [client.messages.slice(0, at).filter(isData), client.messages.slice(at).filter(isData)];
    expect(before.length).toBeLessThan(KEPT);
    expect(before[0]!.seq).toBe(from.seq + 1);
    expectContinuity(before);
    expect(gap).toMatchObject({ reason: 'resume', symbols: ['EURUSD', 'XAUUSD'], to_seq: here().seq - 6 });
    // Everything before the gap was sent: the gap starts with the next message.
    expect(gap.from_seq).toBe(Number(before.at(-1)!.seq) + 1);
    expect(after.slice(0, 2)).toMatchObject([
      { symbol: 'EURUSD', volume: 0 },
      { symbol: 'XAUUSD', volume: 0 },
    ]);
    expectContinuity(after);
    expect(after).toHaveLength(8);
    client.leave();
  });
});

test('another run of the service has another epoch and its own numbers from the first snapshot on', async () => {
  const data = temporaryFolder();
  const first = await startService({ feeds: 'push', data });
  const { key: own } = await first.key('premium');
  const market = await TestMarket.of(first);
  // A minute has closed, so the market is restored.
  await market.quote('EURUSD', 1.084, 1.08412, Date.now() - 120_000);
  await market.quote('EURUSD', 1.084, 1.08412);
  const before = await StreamClient.open(`${first.wsUrl}/ws/market`, own);
  const { epoch } = await before.ask({ action: 'subscribe', symbols: ['EURUSD'], seq: true });
  const { seq } = await before.next(isData);
  await first.stop();

  const second = await startService({ feeds: 'push', data });
  const stream = await StreamClient.open(`${second.wsUrl}/ws/market`, own);
  const [subscribed, gap, snapshot] = await answers(stream, resume({ epoch, seq }, ['EURUSD']));
  expect(subscribed!.epoch).not.toBe(epoch);
  expect(gap).toMatchObject({ event: 'gap', reason: 'resume', from_seq: Number(seq) + 1 });
  expect(snapshot).toMatchObject({ symbol: 'EURUSD', bid: 1.084, volume: 0, epoch: subscribed!.epoch });
  stream.close();
  // The client can resume from that snapshot, although nothing has happened since.
  const again = await StreamClient.open(`${second.wsUrl}/ws/market`, own);
  const position = { epoch: subscribed!.epoch, seq: snapshot!.seq };
  expect(await answers(again, resume(position, ['EURUSD']))).toMatchObject([{ event: 'subscribed' }]);
  await (await TestMarket.of(second)).quote('EURUSD', 1.085, 1.08512);
  expect(await again.next(ofSymbol('EURUSD'))).toMatchObject({ bid: 1.085, prev: snapshot!.seq });
  again.close();
  await second.stop();
  rmSync(data, { recursive: true, force: true });
});

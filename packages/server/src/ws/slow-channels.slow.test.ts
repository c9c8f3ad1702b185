// A slow reader of several channels on one connection: market data is conflated and declared channel by channel, signals and news
// arrive in full. Without market data the connection is closed, and each channel receives its position.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectContinuity } from '../../testing/continuity.fixture.ts';
import { flowEvents, tickEvents } from '../../testing/market-events.fixture.ts';
import { metric } from '../../testing/metric.fixture.ts';
import { newsEvent } from '../../testing/news.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { clientFrame, type RawSocket, rawStream, serverFrames } from '../../testing/raw-socket.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { signalEvent } from '../../testing/signals.fixture.ts';
import { isData, isEvent, type Message, StreamClient } from '../../testing/stream-client.fixture.ts';

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push', metrics_port: '0' });
  ({ key } = await service.key('premium'));
});
afterAll(() => service.stop());

const messagesOf = (socket: RawSocket): Message[] =>
  serverFrames(socket.received)
    .frames.filter(({ opcode }) => opcode === 1)
    .map(({ payload }) => JSON.parse(payload.toString()));
const say = (socket: RawSocket, message: Message): void => socket.write(clientFrame(1, JSON.stringify(message)));
const inChannel =
  (channel: string) =>
  (message: Message): boolean =>
    message.channel === channel;

async function open(channels: readonly string[]): Promise<RawSocket> {
  const socket = await rawStream(service.url, '/ws', key);
  for (const channel of channels) say(socket, { action: 'subscribe', channel, symbols: ['EURUSD'], seq: true });
  await socket.until((each) => messagesOf(each).filter(isEvent('subscribed')).length === channels.length);
  return socket;
}

async function burst(): Promise<void> {
  service.app.journal.append([...tickEvents(1_000), ...flowEvents(1_000)]);
  await Bun.sleep(5);
}

describe('a slow reader', () => {
  test('of market data and signals gets the newest prices, every signal, and a gap for each channel', async () => {
    const reference = await StreamClient.open(`${service.wsUrl}/ws`, key);
    await reference.ask({ action: 'subscribe', channel: 'signals', seq: true });
    const socket = await open(['market', 'orderflow', 'signals', 'news']);
    socket.pause();
    for (let round = 0; round < 200 && (await metric(service, 'tickwire_ws_slow_total')) < 2; round++) await burst();
    for (let at = 0; at < 50; at++) {
      service.app.journal.append([signalEvent(`sig_${at}`), newsEvent(`n${at}`, { symbols: ['EURUSD'] })]);
      if (at % 5 === 0) await burst();
    }
    socket.resume();
    const gaps = (): Message[] => messagesOf(socket).filter(isEvent('gap'));
    await eventually('both gaps', () => gaps().length === 2, 15_000);
    await burst();
    await eventually('live again', () => messagesOf(socket).findLastIndex(inChannel('market')) > 0);
    const messages = messagesOf(socket);
    expect(messages.filter(isEvent('slow')).map(({ channel }) => channel)).toEqual(['market', 'orderflow']);
    expect(gaps().map(({ channel, reason }) => [channel, reason])).toEqual([
      ['market', 'slow'],
      ['orderflow', 'slow'],
    ]);
    for (const { dropped } of gaps()) expect(dropped).toBeGreaterThan(1_000);
    const signals = messages.filter(isData).filter(inChannel('signals'));
    expect(signals.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => `sig_${at}`));
    expectContinuity(signals);
    expect(messages.filter(isData).filter(inChannel('news'))).toHaveLength(50);
    await reference.take(50, isData);
    reference.close();
    socket.destroy();
  });

  test('of signals and news only is closed with 4409, with the position of each', async () => {
    const socket = await open(['signals', 'news']);
    socket.pause();
    const long = 'x'.repeat(1_000);
    service.app.journal.append(Array.from({ length: 12_000 }, (_, at) => signalEvent(`sig_${long}_${at}`)));
    await Bun.sleep(400);
    socket.resume();
    await socket.until(({ isClosed }) => isClosed, 15_000);
    const frames = serverFrames(socket.received).frames;
    expect(frames.at(-1)!.payload.readUInt16BE(0)).toBe(4409);
    const errors = messagesOf(socket).filter(isEvent('error'));
    expect(errors.map(({ channel, code, fatal }) => [channel, code, fatal])).toEqual([
      ['signals', 'too_slow', true],
      ['news', 'too_slow', true],
    ]);
    const [signals, news] = errors.map(({ resume_from }) => resume_from as { epoch: string; seq: number });
    expect(signals!.epoch).not.toBe(news!.epoch);
    const last = messagesOf(socket).findLast((message) => isData(message) && inChannel('signals')(message));
    expect(last!.seq).toBe(signals!.seq);
  });
});

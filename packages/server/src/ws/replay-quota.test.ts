// A client that resumes again and again gets a bounded number of bytes per minute, and a gap for the rest.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { type Channel, TIERS } from '@tickwire/contract';
import { expectContinuity } from '../../testing/continuity.fixture.ts';
import { appendEvents, flowEvents, tickEvents } from '../../testing/market-events.fixture.ts';
import { newsEvent } from '../../testing/news.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { storeAndPublishSignals } from '../../testing/stored-signals.fixture.ts';
import { isData, isEvent, type Message, StreamClient } from '../../testing/stream-client.fixture.ts';

const PER_STREAM = 65_536;
const LIMIT = TIERS.free.streams * PER_STREAM;
/** A turn of a replay may exceed the limit by this much. */
const TURN = 33_000;
let service: RunningService;
beforeAll(async () => {
  service = await startService({ feeds: 'push', replay_bytes_per_minute: String(PER_STREAM) });
  await appendEvents(service, [...tickEvents(500), ...flowEvents(500)]);
  await storeAndPublishSignals(service, 200, ['EURUSD']);
  service.app.journal.append(Array.from({ length: 200 }, (_, at) => newsEvent(`q${at}`, { symbols: ['EURUSD'] })));
});
afterAll(() => service.stop());

const opened: StreamClient[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});

class Resumer {
  /** Bytes of data messages. */
  bytes = 0;
  last: Message[] = [];
  readonly #stream: StreamClient;
  readonly #epoch: string;

  private constructor(stream: StreamClient, epoch: string) {
    this.#stream = stream;
    this.#epoch = epoch;
  }

  static async open(channel: Channel, key: string): Promise<Resumer> {
    const stream = await StreamClient.open(`${service.wsUrl}/ws/${channel}`, key);
    opened.push(stream);
    const { epoch } = await stream.ask({ action: 'subscribe', symbols: ['EURUSD'], seq: true });
    return new Resumer(stream, String(epoch));
  }

  /** Unsubscribes, resumes from the beginning and waits for the end of the replay. */
  async resume(): Promise<void> {
    await this.#stream.ask({ action: 'unsubscribe' });
    const before = this.#stream.messages.length;
    const from = { epoch: this.#epoch, seq: 1 };
    await this.#stream.ask({ action: 'subscribe', symbols: ['EURUSD'], seq: true, resume_from: from });
    await Bun.sleep(60);
    await this.#stream.ask({ action: 'ping' });
    this.last = this.#stream.messages.slice(before);
    this.bytes += this.last.filter(isData).reduce((sum, message) => sum + JSON.stringify(message).length, 0);
  }

  get gap(): Message | undefined {
    return this.last.find(isEvent('gap'));
  }

  next(): Promise<Message> {
    return this.#stream.next(isData);
  }
}

describe('the replay limit', () => {
  test.each(['market', 'orderflow', 'signals', 'news'] as const)(
    'bounds what an account draws from /ws/%s by resuming, and declares a gap',
    async (channel) => {
      const { key } = await service.key('free');
      const resumer = await Resumer.open(channel, key);
      await resumer.resume();
      expect(resumer.gap).toBeUndefined();
      expect(resumer.bytes).toBeGreaterThan(5_000);
      for (let round = 0; round < 8; round++) await resumer.resume();
      expect(resumer.bytes).toBeLessThan(LIMIT + TURN);
      expect(resumer.gap).toMatchObject({ event: 'gap', reason: 'resume', symbols: ['EURUSD'] });
      expect(Number(resumer.gap!.to_seq)).toBeGreaterThan(Number(resumer.gap!.from_seq));
      expect(resumer.gap!.fill).toStartWith('/api/');
      // Another connection of the account has no allowance of its own, but another account has.
      const second = await Resumer.open(channel, key);
      await second.resume();
      expect(second.gap).toBeDefined();
      const other = await Resumer.open(channel, (await service.key('free')).key);
      await other.resume();
      expect(other.gap).toBeUndefined();
    },
  );

  test('leaves the live stream as it is, and a client without anything to replay gets no gap', async () => {
    const { key } = await service.key('free');
    const resumer = await Resumer.open('market', key);
    for (let round = 0; round < 7; round++) await resumer.resume();
    expect(resumer.gap).toBeDefined();
    await appendEvents(service, tickEvents(3));
    expectContinuity([await resumer.next(), await resumer.next(), await resumer.next()]);
    const stream = await StreamClient.open(`${service.wsUrl}/ws/market`, key);
    opened.push(stream);
    const position = { epoch: service.app.journal.epoch, seq: service.app.journal.lastSeq };
    await stream.ask({ action: 'subscribe', symbols: ['*'], seq: true, resume_from: position });
    await stream.ask({ action: 'ping' });
    expect(stream.messages.filter(isEvent('gap'))).toEqual([]);
  });
});

describe('a search for few messages among many', () => {
  test.each(['market', 'signals'] as const)(
    'counts against the limit on /ws/%s, although nothing is sent',
    async (channel) => {
      const busy = await startService({ feeds: 'push', replay_bytes_per_minute: '65536' });
      try {
        await appendEvents(busy, tickEvents(4_000));
        await storeAndPublishSignals(busy, 1_000, ['EURUSD', 'XAUUSD']);
        const stream = await StreamClient.open(`${busy.wsUrl}/ws/${channel}`, (await busy.key('free')).key);
        opened.push(stream);
        const quiet = { action: 'subscribe', symbols: ['GBPUSD'], seq: true };
        const { epoch } = await stream.ask(quiet);
        const resume_from = { epoch, seq: 0 };
        for (let round = 0; round < 24; round++) {
          await stream.ask({ action: 'unsubscribe' });
          await stream.ask({ ...quiet, resume_from });
          await Bun.sleep(30);
        }
        await stream.ask({ ...quiet, symbols: ['EURUSD'], resume_from });
        await stream.next(({ event, symbols }) => event === 'gap' && String(symbols) === 'EURUSD');
        // Snapshots at most.
        expect(stream.messages.filter(isData).length).toBeLessThan(20);
      } finally {
        await busy.stop();
      }
    },
  );
});

// A market that ticks continuously, and one well-behaved client of it, which must not be affected by other connections.
import { expect } from 'bun:test';
import { asEpochMs, asSymbol, type TickEvent } from '@tickwire/engine';
import { expectContinuity } from '../continuity.fixture.ts';
import type { RunningService } from '../service.fixture.ts';
import { isData, StreamClient } from '../stream-client.fixture.ts';

const TICK_MS = 2;
/**
 * Of computing by this process between the journal and the client: what other programs of a busy machine take does not count, but
 * a blocked gateway exceeds it.
 */
const LONGEST_DELAY_MS = 500;
const PATIENCE_MS = 60_000;

export class Bystander {
  readonly #service: RunningService;
  readonly #stream: StreamClient;
  readonly #timer: ReturnType<typeof setInterval>;
  /** Processor time used when each tick was sent; they arrive in the same order. */
  readonly #sentAt: number[] = [];
  #received = 0;
  #longestDelay = 0;

  private constructor(service: RunningService, stream: StreamClient) {
    this.#service = service;
    this.#stream = stream;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    // Ends with the stream; `check` notices.
    this.#listen().catch(() => {});
  }

  static async of(service: RunningService): Promise<Bystander> {
    const stream = await StreamClient.open(`${service.wsUrl}/ws/market`, (await service.key()).key);
    await stream.ask({ action: 'subscribe', symbols: ['*'], seq: true });
    return new Bystander(service, stream);
  }

  /** Throws unless every tick so far arrived in order, in time since the last check, and nothing else did. */
  async check(): Promise<void> {
    this.#tick();
    const sent = this.#sentAt.length;
    const deadline = performance.now() + PATIENCE_MS;
    while (this.#received < sent && performance.now() < deadline) await Bun.sleep(1);
    expect(this.#received).toBeGreaterThanOrEqual(sent);
    const delay = this.#longestDelay;
    this.#longestDelay = 0;
    expect(delay).toBeLessThan(LONGEST_DELAY_MS);
    const { messages, closing } = this.#stream;
    expect(closing).toBeNull();
    const data = messages.filter(isData);
    expectContinuity(data);
    // The answer to its subscription, and neither a gap nor a slow notice.
    expect(messages.length - data.length).toBe(1);
  }

  leave(): void {
    clearInterval(this.#timer);
    this.#stream.close();
  }

  #tick(): void {
    const tick: TickEvent = {
      kind: 'tick',
      symbol: asSymbol('EURUSD'),
      time: asEpochMs(Date.now()),
      bid: 1.08412,
      ask: 1.08424,
      bidSize: 1,
      askSize: 1,
      volume: 1,
    };
    this.#sentAt.push(processorMs());
    this.#service.app.journal.append([tick]);
  }

  async #listen(): Promise<void> {
    for (;;) {
      await this.#stream.next(isData);
      this.#longestDelay = Math.max(this.#longestDelay, processorMs() - this.#sentAt[this.#received++]!);
    }
  }
}

/** Used by this process so far. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

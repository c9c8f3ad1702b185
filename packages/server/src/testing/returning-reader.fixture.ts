// A reader that goes and comes back where it was, and keeps what it has got over all its connections.
import type { Channel, Position } from '@tickwire/contract';
import { RawReader } from './raw-reader.fixture.ts';
import type { RunningService } from './service.fixture.ts';
import { isData, type Message } from './stream-client.fixture.ts';

export class ReturningReader {
  /** Data messages of all connections but the snapshots it began with; notices of all connections. */
  readonly data: Message[] = [];
  readonly notices: Message[] = [];
  /** Where it stood when it first subscribed. */
  began = 0;
  position: Position = { epoch: '', seq: 0 };
  readonly #connect: () => Promise<RawReader>;
  readonly #subscription: Message;
  #reader: RawReader | null = null;
  /** Messages of the current connection that were taken over. */
  #taken = 0;

  constructor(service: RunningService, channel: Channel, key: string, subscription: Message) {
    this.#connect = () => RawReader.open(service, channel, key);
    this.#subscription = { action: 'subscribe', seq: true, ...subscription };
  }

  /** Comes for the first time; `snapshots` are to be expected. */
  async arrive(snapshots: number): Promise<void> {
    this.#reader = await this.#connect();
    const { epoch } = await this.#reader.ask(this.#subscription);
    await this.read(() => this.data.length >= snapshots, 'the snapshots');
    this.position = { ...this.position, epoch: String(epoch) };
    this.began = Math.max(0, ...this.data.splice(0, snapshots).map(({ seq }) => Number(seq)));
  }

  /** Comes back to where it was. */
  async comeBack(): Promise<void> {
    this.#reader = await this.#connect();
    this.#taken = 0;
    await this.#reader.ask({ ...this.#subscription, resume_from: this.position });
  }

  async read(enough: () => boolean, what: string): Promise<void> {
    const isEnough = (): boolean => {
      this.#takeOver();
      return enough();
    };
    await this.#reader!.until(isEnough, what);
  }

  /** Reads at least so many data messages more. */
  async take(count: number): Promise<void> {
    const goal = this.data.length + count;
    await this.read(() => this.data.length >= goal, `${count} messages`);
  }

  /** Reads nothing for a while. */
  async stall(ms: number): Promise<void> {
    this.#reader!.pause();
    await Bun.sleep(ms);
    this.#reader!.resume();
  }

  /** Reads a little at a time until it has this message. */
  async crawlTo(seq: number): Promise<void> {
    const done = (): boolean => this.position.seq >= seq;
    while (!done()) {
      const goal = this.data.length + 2_000;
      this.#reader!.resume();
      await this.read(() => done() || this.data.length >= goal, `message ${seq}`);
      this.#reader!.pause();
      await Bun.sleep(5);
    }
    this.#reader!.resume();
  }

  leave(abruptly = false): void {
    this.#takeOver();
    this.#reader!.leave(abruptly);
  }

  #takeOver(): void {
    const { messages } = this.#reader!;
    for (; this.#taken < messages.length; this.#taken++) {
      const message = messages[this.#taken]!;
      if (!isData(message)) this.notices.push(message);
      else {
        this.data.push(message);
        const seq = Number(message.seq);
        if (seq > this.position.seq) this.position = { ...this.position, seq };
      }
    }
  }
}

export const textsOf = (messages: readonly Message[]): string[] => messages.map((message) => JSON.stringify(message));

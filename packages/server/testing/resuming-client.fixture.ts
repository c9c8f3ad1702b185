// A client that disconnects and resumes at its position, and keeps the messages of all its connections.
import type { Channel, StreamPosition } from '@tickwire/contract';
import { RawClient } from './raw-client.fixture.ts';
import type { RunningService } from './service.fixture.ts';
import { isData, type Message } from './stream-client.fixture.ts';

export class ResumingClient {
  /** Data messages of all connections, without the initial snapshots. */
  readonly data: Message[] = [];
  readonly notices: Message[] = [];
  /** Newest `seq` of the initial snapshots. */
  firstSeq = 0;
  position: StreamPosition = { epoch: '', seq: 0 };
  readonly #open: () => Promise<RawClient>;
  readonly #subscription: Message;
  #client: RawClient | null = null;
  /** Number of messages of the current connection in `data` and `notices`. */
  #collected = 0;

  /** `service` may move to another address between connections. */
  constructor(service: Pick<RunningService, 'url'>, channel: Channel, key: string, subscription: Message) {
    this.#open = () => RawClient.open(service, channel, key);
    this.#subscription = { action: 'subscribe', seq: true, ...subscription };
  }

  /** Connects for the first time and waits for the snapshots. */
  async connect(snapshots: number): Promise<void> {
    this.#client = await this.#open();
    const { epoch } = await this.#client.ask(this.#subscription);
    await this.read(() => this.data.length >= snapshots, 'the snapshots');
    this.position = { ...this.position, epoch: String(epoch) };
    this.firstSeq = Math.max(0, ...this.data.splice(0, snapshots).map(({ seq }) => Number(seq)));
  }

  /** Reconnects and resumes at its position. */
  async resume(): Promise<void> {
    this.#client = await this.#open();
    this.#collected = 0;
    await this.#client.ask({ ...this.#subscription, resume_from: this.position });
  }

  async read(enough: () => boolean, what: string): Promise<void> {
    const isEnough = (): boolean => {
      this.#collect();
      return enough();
    };
    await this.#client!.until(isEnough, what);
  }

  /** Reads at least that many more data messages. */
  async take(count: number): Promise<void> {
    const goal = this.data.length + count;
    await this.read(() => this.data.length >= goal, `${count} messages`);
  }

  /** Reads nothing for a while. */
  async stall(ms: number): Promise<void> {
    this.#client!.pause();
    await Bun.sleep(ms);
    this.#client!.resume();
  }

  /** Reads slowly until it has this message. */
  async readSlowlyTo(seq: number): Promise<void> {
    const done = (): boolean => this.position.seq >= seq;
    while (!done()) {
      const goal = this.data.length + 2_000;
      this.#client!.resume();
      await this.read(() => done() || this.data.length >= goal, `message ${seq}`);
      this.#client!.pause();
      await Bun.sleep(5);
    }
    this.#client!.resume();
  }

  leave(abruptly = false): void {
    this.#collect();
    this.#client!.leave(abruptly);
  }

  #collect(): void {
    const { messages } = this.#client!;
    for (; this.#collected < messages.length; this.#collected++) {
      const message = messages[this.#collected]!;
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

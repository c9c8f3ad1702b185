// A stream client on a raw socket: it can stop reading, read slowly, and disconnect without a close frame.
import type { Channel } from '@tickwire/contract';
import { clientFrame, type RawSocket, rawStream, serverFrames } from './raw-socket.fixture.ts';
import type { RunningService } from './service.fixture.ts';
import type { Message } from './stream-client.fixture.ts';

const TIMEOUT_MS = 60_000;

export class RawClient {
  /** Everything received, oldest first. */
  readonly messages: Message[] = [];
  closeCode: number | null = null;
  readonly #socket: RawSocket;

  private constructor(socket: RawSocket) {
    this.#socket = socket;
  }

  static async open({ url }: Pick<RunningService, 'url'>, channel: Channel, key: string): Promise<RawClient> {
    return new RawClient(await rawStream(url, `/ws/${channel}`, key));
  }

  send(message: unknown): void {
    this.#socket.write(clientFrame(1, JSON.stringify(message)));
  }

  /** Sends a request and waits for the answer that carries its id. */
  async ask(message: Message): Promise<Message> {
    const id = crypto.randomUUID();
    this.send({ ...message, id });
    return this.first((answer) => answer.id === id);
  }

  /** Waits for the first message that matches. */
  async first(wanted: (message: Message) => boolean): Promise<Message> {
    let at = 0;
    const found = (): boolean => {
      while (at < this.messages.length && !wanted(this.messages[at]!)) at++;
      return at < this.messages.length;
    };
    await this.until(found, 'the message');
    return this.messages[at]!;
  }

  /** Reads until the condition holds. */
  async until(enough: () => boolean, what: string, timeout = TIMEOUT_MS): Promise<void> {
    const isEnough = (): boolean => {
      this.#parse();
      return enough();
    };
    if (await this.#socket.until(isEnough, timeout)) return;
    const last = JSON.stringify(this.messages.slice(-2));
    throw new Error(
      `not received: ${what} (closed: ${this.#socket.isClosed}, ${this.messages.length} received, the last: ${last})`,
    );
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Disconnects with a close frame, or abruptly without one. */
  leave(abruptly = false): void {
    if (!abruptly) this.#socket.write(clientFrame(8, Buffer.from([3, 232])));
    this.#socket.destroy();
  }

  #parse(): void {
    const { frames, length } = serverFrames(this.#socket.received);
    this.#socket.consume(length);
    for (const { opcode, payload } of frames) {
      if (opcode === 1) this.messages.push(JSON.parse(payload.toString()));
      if (opcode === 8) this.closeCode = payload.readUInt16BE(0);
    }
  }
}

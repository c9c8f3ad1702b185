// A WebSocket client for tests: it keeps every message in order, and waits for the next that matches.

export type Message = Readonly<Record<string, unknown>>;
export interface CloseInfo {
  readonly code: number;
  readonly reason: string;
}

/** Long enough for a busy machine, and shorter than the test timeout, so that a test says what it waited for. */
const TIMEOUT_MS = 60_000;

/** The DOM type has no headers; Bun's client supports them. */
const Socket = WebSocket as unknown as new (url: string, options: Bun.WebSocketOptions) => WebSocket;

export class StreamClient {
  /** Everything received, oldest first. */
  readonly messages: Message[] = [];
  readonly closed: Promise<CloseInfo>;
  closing: CloseInfo | null = null;
  readonly #socket: WebSocket;
  #cursor = 0;
  #wake: (() => void)[] = [];

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      this.messages.push(JSON.parse(String(data)));
      this.#wakeAll();
    });
    this.closed = new Promise((resolve) => {
      socket.addEventListener('close', ({ code, reason }) => {
        this.closing = { code, reason };
        resolve(this.closing);
        this.#wakeAll();
      });
    });
  }

  /** Opens a stream; the key, if given, is sent in the header of the upgrade. */
  static async open(url: string, key?: string, options: Bun.WebSocketOptions = {}): Promise<StreamClient> {
    const given = 'headers' in options ? (options.headers as Record<string, string>) : {};
    const headers = key === undefined ? given : { ...given, 'X-API-Key': key };
    const socket = new Socket(url, { ...options, headers });
    const client = new StreamClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('close', ({ code, reason }) => reject(new Error(`not opened: ${code} ${reason}`)));
    });
    return client;
  }

  send(message: unknown): void {
    this.sendRaw(JSON.stringify(message));
  }

  sendRaw(data: string | Uint8Array<ArrayBuffer>): void {
    this.#socket.send(data);
  }

  /** Sends a request and waits for the answer that carries its id. */
  async ask(message: Message): Promise<Message> {
    const id = message.id ?? crypto.randomUUID();
    this.send({ ...message, id });
    return this.next((answer) => answer.id === id);
  }

  /** The next message after the last call that matches; others are skipped. */
  async next(wanted: (message: Message) => boolean = () => true, timeoutMs = TIMEOUT_MS): Promise<Message> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      while (this.#cursor < this.messages.length) {
        const message = this.messages[this.#cursor++]!;
        if (wanted(message)) return message;
      }
      const left = deadline - performance.now();
      if (this.closing || left <= 0) {
        const state = this.closing ? `closed ${this.closing.code}` : 'open';
        const last = JSON.stringify(this.messages.slice(-3));
        throw new Error(`no matching message (${state}, ${this.messages.length} received, the last: ${last})`);
      }
      await this.#nextEvent(left);
    }
  }

  /** The next `count` matching messages. */
  async take(count: number, wanted?: (message: Message) => boolean, timeoutMs?: number): Promise<Message[]> {
    const taken: Message[] = [];
    while (taken.length < count) taken.push(await this.next(wanted, timeoutMs));
    return taken;
  }

  close(): void {
    this.#socket.close();
  }

  #nextEvent(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#wake.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #wakeAll(): void {
    const wake = this.#wake;
    this.#wake = [];
    for (const resolve of wake) resolve();
  }
}

export const isEvent =
  (event: string) =>
  (message: Message): boolean =>
    message.event === event;
export const isData = (message: Message): boolean => message.event === undefined;
export const ofSymbol =
  (symbol: string) =>
  (message: Message): boolean =>
    isData(message) && message.symbol === symbol;

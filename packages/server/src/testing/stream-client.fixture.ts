// A WebSocket client for tests: keeps every message in the order it came, and waits for the next that matters.

export type Message = Readonly<Record<string, unknown>>;
export interface Closing {
  readonly code: number;
  readonly reason: string;
}

/** Long enough for a loaded machine; a test that hangs says what it waited for instead of timing out in silence. */
const PATIENCE_MS = 5_000;

/** The browser's type, which the library of types prefers, knows no headers; Bun's client does. */
const Socket = WebSocket as unknown as new (url: string, options: Bun.WebSocketOptions) => WebSocket;

export class StreamClient {
  /** Everything received, oldest first. */
  readonly messages: Message[] = [];
  readonly closed: Promise<Closing>;
  closing: Closing | null = null;
  readonly #socket: WebSocket;
  #cursor = 0;
  #wake: (() => void)[] = [];

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      this.messages.push(JSON.parse(String(data)));
      this.#stir();
    });
    this.closed = new Promise((resolve) => {
      socket.addEventListener('close', ({ code, reason }) => {
        this.closing = { code, reason };
        resolve(this.closing);
        this.#stir();
      });
    });
  }

  /** Opens a stream; the key, if given, goes into the header of the upgrade. */
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

  /** The next message, from where the last call ended, that is wanted; the ones before it are passed over. */
  async next(wanted: (message: Message) => boolean = () => true, patience = PATIENCE_MS): Promise<Message> {
    const deadline = performance.now() + patience;
    for (;;) {
      while (this.#cursor < this.messages.length) {
        const message = this.messages[this.#cursor++]!;
        if (wanted(message)) return message;
      }
      const left = deadline - performance.now();
      if (this.closing || left <= 0) {
        const state = this.closing ? `closed ${this.closing.code}` : 'open';
        const last = JSON.stringify(this.messages.slice(-3));
        throw new Error(`no such message (${state}, ${this.messages.length} received, the last: ${last})`);
      }
      await this.#stirred(left);
    }
  }

  /** The next `count` wanted messages. */
  async take(count: number, wanted?: (message: Message) => boolean, patience?: number): Promise<Message[]> {
    const taken: Message[] = [];
    while (taken.length < count) taken.push(await this.next(wanted, patience));
    return taken;
  }

  close(): void {
    this.#socket.close();
  }

  #stirred(patience: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, patience);
      this.#wake.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #stir(): void {
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

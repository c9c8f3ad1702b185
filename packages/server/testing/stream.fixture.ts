// A minimal WebSocket client for tests: it subscribes and records every message.

/** Fields of data messages and notices that tests use. */
export interface StreamMessage {
  readonly event?: string;
  readonly symbol?: string;
  readonly seq?: number;
  readonly epoch?: string;
  readonly time?: number;
  readonly price?: number;
  readonly cumulative_delta?: number;
}

export class TestStream {
  readonly messages: StreamMessage[] = [];
  closeCode: number | null = null;
  readonly #socket: WebSocket;
  readonly #opened: Promise<void>;

  constructor(url: string, channel: 'market' | 'orderflow' | 'signals') {
    this.#socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws/${channel}`);
    this.#opened = new Promise((resolve, reject) => {
      this.#socket.addEventListener('open', () => resolve());
      this.#socket.addEventListener('error', () => reject(new Error('the stream could not be opened')));
    });
    this.#socket.addEventListener('message', ({ data }) => this.messages.push(JSON.parse(String(data))));
    this.#socket.addEventListener('close', ({ code }) => {
      this.closeCode = code;
    });
  }

  async subscribe(key: string, symbols: readonly string[], seq = false): Promise<void> {
    await this.#opened;
    this.#socket.send(JSON.stringify({ action: 'subscribe', symbols, api_key: key, ...(seq && { seq }) }));
  }

  close(): void {
    this.#socket.close();
  }
}

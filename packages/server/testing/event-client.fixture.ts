// A client of server-sent events for tests: it keeps every event in order, and waits for the next that matches.
import type { Message } from './stream-client.fixture.ts';

const TIMEOUT_MS = 60_000;

export interface ServerEvent {
  readonly id: string;
  /** `notice` for replies and notices; '' for messages. */
  readonly type: string;
  readonly data: Message;
}

export class EventClient {
  readonly response: Response;
  readonly events: ServerEvent[] = [];
  /** Comments received. */
  comments = 0;
  retryMs: number | null = null;
  lastId = '';
  isOpen = true;
  readonly closed: Promise<void>;
  readonly #abort: AbortController;
  #cursor = 0;
  #wake: (() => void)[] = [];

  private constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    this.closed = this.#read().then(() => {
      this.isOpen = false;
      this.#wakeAll();
    });
  }

  /** Requests a stream. Throws if the response is no stream. */
  static async open(url: string, headers: Record<string, string>): Promise<EventClient> {
    const abort = new AbortController();
    const response = await fetch(url, { headers, signal: abort.signal });
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    return new EventClient(response, abort);
  }

  get messages(): Message[] {
    return this.events.filter(({ type }) => type === '').map(({ data }) => data);
  }

  get notices(): Message[] {
    return this.events.filter(({ type }) => type === 'notice').map(({ data }) => data);
  }

  /** The next event after the last call that matches; others are skipped. */
  async next(wanted: (data: Message) => boolean, timeoutMs = TIMEOUT_MS): Promise<ServerEvent> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      while (this.#cursor < this.events.length) {
        const event = this.events[this.#cursor++]!;
        if (wanted(event.data)) return event;
      }
      const left = deadline - performance.now();
      if (!this.isOpen || left <= 0)
        throw new Error(
          `no matching event (${this.isOpen ? 'open' : 'closed'}, ${this.events.length} received, the last: ${JSON.stringify(this.events.slice(-3))})`,
        );
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(): Promise<void> {
    let rest = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.response.body!) {
        const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
        rest = blocks.pop()!;
        for (const block of blocks) this.#parse(block);
        this.#wakeAll();
      }
    } catch {
      // The connection was lost or closed.
    }
  }

  #parse(block: string): void {
    let type = '';
    let data: string | null = null;
    for (const line of block.split('\n')) {
      const [, field = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
      if (field === '') this.comments++;
      else if (field === 'id') this.lastId = value;
      else if (field === 'event') type = value;
      else if (field === 'retry') this.retryMs = Number(value);
      else if (field === 'data' && data === null) data = value;
      else throw new Error(`unexpected line: ${line}`);
    }
    if (data !== null) this.events.push({ id: this.lastId, type, data: JSON.parse(data) });
  }

  #wakeAll(): void {
    const wake = this.#wake;
    this.#wake = [];
    for (const resolve of wake) resolve();
  }
}

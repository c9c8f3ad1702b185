// Publishers of the proof. They publish through both gateway nodes continuously: some with an Idempotency-Key, retrying until they
// get a response, as the client does; some without one, and once. Half of the signals are near the market, which closes them;
// some of the others are closed by their publisher.
import { randomUUID } from 'node:crypto';
import { roundTo } from '@tickwire/engine';

/** Symbols with their number of decimals. */
const SYMBOLS = [
  ['EURUSD', 5],
  ['BTCUSD', 2],
  ['XAUUSD', 2],
] as const;
const PAUSE_MS = 150;
const RESPONSE_MS = 30_000;
const RETRY_MS = 200;

interface Quote {
  readonly bid: number;
  readonly ask: number;
}

export class ProofPublishers {
  /** Idempotency-Key by id of every signal with a 201 response; '' without a key. */
  readonly published = new Map<string, string>();
  readonly closed = new Set<string>();
  /** Number of other responses by status and code, and of requests without a response. */
  readonly rejections = new Map<string, number>();
  readonly #urls: readonly string[];
  readonly #key: string;
  #running = true;
  readonly #loops: Promise<void>[];

  constructor(urls: readonly string[], key: string) {
    this.#urls = urls;
    this.#key = key;
    this.#loops = urls.flatMap((_, index) => [this.#publish(index, true), this.#publish(index, false)]);
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#loops);
  }

  /** Publishes one signal; returns whether the response was 201. */
  async publishOnce(index: number): Promise<boolean> {
    const terms = await this.#terms(index, 0).catch(() => null);
    const response = terms && (await this.#post(index, '/api/signals', terms, {}));
    if (response?.status === 201) this.published.set(((await response.json()) as { id: string }).id, '');
    return response?.status === 201;
  }

  async #publish(index: number, keyed: boolean): Promise<void> {
    for (let count = 0; this.#running; count++) {
      await Bun.sleep(PAUSE_MS);
      const terms = await this.#terms(index, count).catch(() => null);
      if (terms === null) continue;
      const key = keyed ? randomUUID() : '';
      const id = await this.#send(index, terms, key);
      if (id === null) continue;
      this.published.set(id, key);
      if (count % 4 === 0) await this.#close(index, id);
    }
  }

  /** The id of the signal; `null` if it was rejected, or without a response if it cannot be retried. */
  async #send(home: number, terms: object, key: string): Promise<string | null> {
    for (let index = home; ; index = (index + 1) % this.#urls.length) {
      const response = await this.#post(index, '/api/signals', terms, key === '' ? {} : { 'Idempotency-Key': key });
      if (response?.status === 201) return ((await response.json()) as { id: string }).id;
      const retry = response === null || response.status === 503;
      if (!retry || key === '' || !this.#running) return null;
      await Bun.sleep(RETRY_MS);
    }
  }

  async #close(index: number, id: string): Promise<void> {
    const response = await this.#post(index, `/api/signals/${id}/close`, null, {});
    if (response?.status === 200) this.closed.add(id);
  }

  async #post(index: number, path: string, body: object | null, headers: object): Promise<Response | null> {
    const response = await fetch(this.#urls[index]! + path, {
      method: 'POST',
      headers: { 'X-API-Key': this.#key, ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(RESPONSE_MS),
    }).catch(() => null);
    if (response?.ok) return response;
    const code = response && ((await response.clone().json()) as { code: string }).code;
    const name = response ? `${response.status} ${code}` : 'no response';
    this.rejections.set(name, (this.rejections.get(name) ?? 0) + 1);
    return response;
  }

  async #terms(index: number, count: number): Promise<object> {
    const [symbol, digits] = SYMBOLS[count % SYMBOLS.length]!;
    const response = await fetch(`${this.#urls[index]}/api/market/${symbol}/quote`, {
      headers: { 'X-API-Key': this.#key },
    });
    const { bid, ask } = (await response.json()) as Quote;
    const distance = count % 2 === 0 ? ask * 0.1 : 2 * (ask - bid) + 4 * 10 ** -digits;
    return {
      symbol,
      direction: 'buy',
      entry: ask,
      stop_loss: roundTo(ask - distance, digits),
      take_profit: roundTo(ask + distance, digits),
    };
  }
}

/** Sends requests to all gateway nodes with one key, faster than its allowance. */
export class RateLimitProbe {
  /** Requests with a 200 response. The gateway granted each at some time in between. */
  readonly granted: { readonly sent: number; readonly answered: number }[] = [];
  rejected = 0;
  #running = true;
  readonly #loops: Promise<void>[];

  constructor(urls: readonly string[], key: string, everyMs: number) {
    this.#loops = urls.map(async (url) => {
      while (this.#running) {
        const sent = performance.now();
        const response = await fetch(`${url}/api/symbols`, {
          headers: { 'X-API-Key': key },
          signal: AbortSignal.timeout(5_000),
        }).catch(() => null);
        if (response?.status === 200) this.granted.push({ sent, answered: performance.now() });
        else if (response?.status === 429) this.rejected++;
        await Bun.sleep(everyMs);
      }
    });
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#loops);
  }

  /** Maximum number of requests that were certainly granted in the same minute. */
  maxPerMinute(): number {
    const within = (end: number): number =>
      this.granted.filter(({ sent, answered }) => sent > end - 60_000 && answered <= end).length;
    return Math.max(0, ...this.granted.map(({ answered }) => within(answered)));
  }
}

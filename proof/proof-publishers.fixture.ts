// Publishers of the proof. They publish through both gateways without a pause, some with an Idempotency-Key and again until it
// is answered, as the client does; some without one, and once. Half of the signals are near the market, which closes them; of the
// others some are closed by hand.
import { randomUUID } from 'node:crypto';
import { roundTo } from '@tickwire/engine';

/** With their decimals. */
const SYMBOLS = [
  ['EURUSD', 5],
  ['BTCUSD', 2],
  ['XAUUSD', 2],
] as const;
const BREAK_MS = 150;
const ANSWER_MS = 30_000;
const AGAIN_MS = 200;

interface Quote {
  readonly bid: number;
  readonly ask: number;
}

export class ProofPublishers {
  /** Signals that were answered with 201, by the Idempotency-Key they were sent with; '' where there was none. */
  readonly published = new Map<string, string>();
  readonly closed = new Set<string>();
  /** Answers that were no 201, by status and code; and sends without an answer. */
  readonly refusals = new Map<string, number>();
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

  /** One publication now; whether it was answered with 201. */
  async publishOnce(place: number): Promise<boolean> {
    const terms = await this.#terms(place, 0).catch(() => null);
    const answer = terms && (await this.#post(place, '/api/signals', terms, {}));
    if (answer?.status === 201) this.published.set(((await answer.json()) as { id: string }).id, '');
    return answer?.status === 201;
  }

  async #publish(place: number, keyed: boolean): Promise<void> {
    for (let count = 0; this.#running; count++) {
      await Bun.sleep(BREAK_MS);
      const terms = await this.#terms(place, count).catch(() => null);
      if (terms === null) continue;
      const key = keyed ? randomUUID() : '';
      const id = await this.#send(place, terms, key);
      if (id === null) continue;
      this.published.set(id, key);
      if (count % 4 === 0) await this.#close(place, id);
    }
  }

  /** The id of the signal; null where it was refused, or nobody answered whoever may not ask again. */
  async #send(home: number, terms: object, key: string): Promise<string | null> {
    for (let place = home; ; place = (place + 1) % this.#urls.length) {
      const answer = await this.#post(place, '/api/signals', terms, key === '' ? {} : { 'Idempotency-Key': key });
      if (answer?.status === 201) return ((await answer.json()) as { id: string }).id;
      const again = answer === null || answer.status === 503;
      if (!again || key === '' || !this.#running) return null;
      await Bun.sleep(AGAIN_MS);
    }
  }

  async #close(place: number, id: string): Promise<void> {
    const answer = await this.#post(place, `/api/signals/${id}/close`, null, {});
    if (answer?.status === 200) this.closed.add(id);
  }

  async #post(place: number, path: string, body: object | null, headers: object): Promise<Response | null> {
    const answer = await fetch(this.#urls[place]! + path, {
      method: 'POST',
      headers: { 'X-API-Key': this.#key, ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch(() => null);
    if (answer?.ok) return answer;
    const code = answer && ((await answer.clone().json()) as { code: string }).code;
    const name = answer ? `${answer.status} ${code}` : 'no answer';
    this.refusals.set(name, (this.refusals.get(name) ?? 0) + 1);
    return answer;
  }

  async #terms(place: number, count: number): Promise<object> {
    const [symbol, digits] = SYMBOLS[count % SYMBOLS.length]!;
    const answer = await fetch(`${this.#urls[place]}/api/market/${symbol}/quote`, {
      headers: { 'X-API-Key': this.#key },
    });
    const { bid, ask } = (await answer.json()) as Quote;
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

/** A key that asks all gateways as fast as it may not. */
export class ProofHammer {
  /** When each was answered with 200, by Date.now(). */
  readonly granted: number[] = [];
  refused = 0;
  #running = true;
  readonly #loops: Promise<void>[];

  constructor(urls: readonly string[], key: string, everyMs: number) {
    this.#loops = urls.map(async (url) => {
      while (this.#running) {
        const answer = await fetch(`${url}/api/symbols`, {
          headers: { 'X-API-Key': key },
          signal: AbortSignal.timeout(5_000),
        }).catch(() => null);
        if (answer?.status === 200) this.granted.push(Date.now());
        else if (answer?.status === 429) this.refused++;
        await Bun.sleep(everyMs);
      }
    });
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#loops);
  }

  /** The most that were granted in any rolling minute. */
  most(): number {
    const times = [...this.granted].sort((a, b) => a - b);
    let first = 0;
    return times.reduce((most, time, index) => {
      while (times[first]! <= time - 60_000) first++;
      return Math.max(most, index + 1 - first);
    }, 0);
  }
}

// Publishers that call a running service, and a market whose prices the test sets.
import type { ClosedSignal, IngestAnswer, PublishedSignal, SignalDetail } from '@tickwire/contract';
import { CATALOGUE, roundTo } from '@tickwire/engine';
import type { CreatedKey } from '../src/access/issue-key.ts';
import type { RunningService } from './service.fixture.ts';

/** Each try waits a millisecond longer than the last: about five seconds in all, well within the allowance. */
const TRIES = 100;
/** Tries to publish while the quote is not fresh, a tenth of a second apart. */
const FRESH_TRIES = 50;

export type Terms = Readonly<Record<string, unknown>>;

/** An account that publishes and reads. */
export class TestPublisher {
  readonly issued: CreatedKey;
  readonly #url: string;

  constructor({ url }: Pick<RunningService, 'url'>, issued: CreatedKey) {
    this.#url = url;
    this.issued = issued;
  }

  static async of(service: RunningService, scopes = ['read', 'publish']): Promise<TestPublisher> {
    return new TestPublisher(service, await service.key('premium', scopes));
  }

  get name(): string {
    return this.issued.account.name;
  }

  get id(): string {
    return this.issued.account.publicId;
  }

  /** Sends a body unchanged. */
  post(path: string, body: BodyInit | null, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.#url + path, { method: 'POST', body, headers: { 'X-API-Key': this.issued.key, ...headers } });
  }

  publish(terms: Terms, headers?: Record<string, string>): Promise<Response> {
    return this.post('/api/signals', JSON.stringify(terms), headers);
  }

  /** Publishes a signal that must be accepted. On a busy machine, simulated prices can pause for longer than a quote is fresh. */
  async published(terms: Terms, headers?: Record<string, string>): Promise<PublishedSignal> {
    let response = await this.publish(terms, headers);
    for (let tries = 0; response.status === 503 && tries < FRESH_TRIES; tries++) {
      await Bun.sleep(100);
      response = await this.publish(terms, headers);
    }
    return (await expected(response, 201)) as PublishedSignal;
  }

  /** Publishes a signal, and fills it with the last quote once more. */
  async open(terms: Terms, market: TestMarket): Promise<PublishedSignal> {
    const signal = await this.published(terms);
    await market.repeat(signal.symbol);
    await this.filled(signal.id);
    return signal;
  }

  close(id: string, headers?: Record<string, string>): Promise<Response> {
    return this.post(`/api/signals/${id}/close`, null, headers);
  }

  /** Closes a signal. In a market whose prices the test sets, `market` repeats its last quote, which executes the request. */
  async closed(id: string, market?: TestMarket, headers?: Record<string, string>): Promise<ClosedSignal> {
    const closing = this.close(id, headers);
    const { symbol } = await this.detail(id);
    for (let tries = 0; market && tries < TRIES && (await this.detail(id)).status === 'active'; tries++)
      await market.repeat(symbol);
    return (await expected(await closing, 200)) as ClosedSignal;
  }

  amend(id: string, terms: Terms, headers?: Record<string, string>): Promise<Response> {
    return this.post(`/api/signals/${id}/amend`, JSON.stringify(terms), headers);
  }

  async amended(id: string, stop_loss: number): Promise<SignalDetail> {
    return (await expected(await this.amend(id, { stop_loss }), 200)) as SignalDetail;
  }

  get(path: string): Promise<Response> {
    return fetch(this.#url + path, { headers: { 'X-API-Key': this.issued.key } });
  }

  async read<T>(path: string): Promise<T> {
    return (await expected(await this.get(path), 200)) as T;
  }

  detail(id: string): Promise<SignalDetail> {
    return this.read(`/api/signals/${id}`);
  }

  /** Waits until the fill is visible: the decision of a tick is written after the response to the tick. */
  filled(id: string): Promise<SignalDetail> {
    return this.#once(id, 'filled', (detail) => detail.filled_at !== null);
  }

  async ended(id: string): Promise<ClosedDetail> {
    return (await this.#once(id, 'closed', (detail) => detail.status === 'closed')) as ClosedDetail;
  }

  /** Waits until the signal is as given. */
  once(id: string, is: (detail: SignalDetail) => boolean): Promise<SignalDetail> {
    return this.#once(id, 'as expected', is);
  }

  async #once(id: string, what: string, is: (detail: SignalDetail) => boolean): Promise<SignalDetail> {
    for (let tries = 0; tries < TRIES; tries++) {
      const detail = await this.detail(id);
      if (is(detail)) return detail;
      await Bun.sleep(tries);
    }
    throw new Error(`${id} was never ${what}`);
  }
}

export type ClosedDetail = Extract<SignalDetail, { status: 'closed' }>;

/** Status and code of an error response. */
export const codeOf = async (response: Response): Promise<[status: number, code: string]> => [
  response.status,
  ((await response.json()) as { code: string }).code,
];

async function expected(response: Response, status: number): Promise<unknown> {
  if (response.status !== status)
    throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Sets the prices of a service with the feed `push`, from a separate account. */
export class TestMarket {
  readonly #url: string;
  readonly #key: string;
  readonly #last = new Map<string, readonly [bid: number, ask: number]>();
  #lastTime = 0;

  private constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  static async at(url: string, key: string): Promise<TestMarket> {
    return new TestMarket(url, key);
  }

  static async of(service: RunningService): Promise<TestMarket> {
    return new TestMarket(service.url, (await service.key('premium', ['ingest'])).key);
  }

  /** Pushes a quote. */
  async quote(symbol: string, bid: number, ask: number, time = this.#later()): Promise<void> {
    const { accepted, body } = await this.#push(symbol, bid, ask, time);
    if (accepted !== 1) throw new Error(`the quote was rejected: ${body}`);
    this.#last.set(symbol, [bid, ask]);
  }

  /** Pushes the last quote again, later than anything that was published or requested before. */
  async repeat(symbol: string): Promise<void> {
    await Bun.sleep(2);
    await this.quote(symbol, ...this.#last.get(symbol)!);
  }

  /** Pushes a quote that is held because its price has jumped. */
  async held(symbol: string, bid: number, ask: number, time = this.#later()): Promise<void> {
    const { rejected, body } = await this.#push(symbol, bid, ask, time);
    if (rejected[0]?.code !== 'spike') throw new Error(`the quote was not held: ${body}`);
  }

  /** The current time, or a millisecond after the last one. */
  #later(): number {
    this.#lastTime = Math.max(Date.now(), this.#lastTime + 1);
    return this.#lastTime;
  }

  async #push(symbol: string, bid: number, ask: number, time: number): Promise<IngestAnswer & { body: string }> {
    const body = JSON.stringify({ symbol, time, bid, ask });
    const headers = { 'X-API-Key': this.#key };
    const response = await fetch(`${this.#url}/ingest/ticks`, { method: 'POST', body, headers });
    return { ...((await expected(response, 200)) as IngestAnswer), body };
  }
}

/** The terms of a buy at the current market of a service with moving prices. */
export async function atMarket(publisher: TestPublisher, symbol = 'EURUSD'): Promise<Terms> {
  const { ask } = await publisher.read<{ ask: number }>(`/api/market/${symbol}/quote`);
  const { digits } = CATALOGUE.find((spec) => spec.symbol === symbol)!;
  const [stop_loss, take_profit] = [roundTo(ask * 0.9, digits), roundTo(ask * 1.1, digits)];
  return { symbol, direction: 'buy', entry: ask, stop_loss, take_profit };
}

/** Around a EURUSD of 1.08400 / 1.08412: a market entry, a limit below and a stop above. */
export const BUY = { symbol: 'EURUSD', direction: 'buy', entry: 1.08412, stop_loss: 1.082, take_profit: 1.088 };
export const LIMIT = { symbol: 'EURUSD', direction: 'buy', entry: 1.083, stop_loss: 1.081, take_profit: 1.087 };
export const STOP = { symbol: 'EURUSD', direction: 'buy', entry: 1.086, stop_loss: 1.084, take_profit: 1.089 };
export const EURO = ['EURUSD', 1.084, 1.08412] as const;

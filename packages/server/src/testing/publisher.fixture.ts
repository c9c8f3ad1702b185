// Publishers as they call a running service, and a market that stands where a test puts it.
import type { ActiveSignal, ClosedSignal, SignalDetail } from '@tickwire/contract';
import { CATALOGUE, roundTo } from '@tickwire/engine';
import type { IssuedKey } from '../access/issue-key.ts';
import type { RunningService } from './service.fixture.ts';

/** Each a millisecond later than the one before: some five seconds, and well within the allowance. */
const TRIES = 100;

export type Terms = Readonly<Record<string, unknown>>;

/** One account that publishes and reads. */
export class TestPublisher {
  readonly issued: IssuedKey;
  readonly #url: string;

  constructor({ url }: Pick<RunningService, 'url'>, issued: IssuedKey) {
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

  /** Sends a body as it is. */
  post(path: string, body: BodyInit | null, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.#url + path, { method: 'POST', body, headers: { 'X-API-Key': this.issued.key, ...headers } });
  }

  publish(terms: Terms, headers?: Record<string, string>): Promise<Response> {
    return this.post('/api/signals', JSON.stringify(terms), headers);
  }

  /** Publishes what must be accepted. */
  async published(terms: Terms, headers?: Record<string, string>): Promise<ActiveSignal> {
    return (await expected(await this.publish(terms, headers), 201)) as ActiveSignal;
  }

  close(id: string, headers?: Record<string, string>): Promise<Response> {
    return this.post(`/api/signals/${id}/close`, null, headers);
  }

  async closed(id: string): Promise<ClosedSignal> {
    return (await expected(await this.close(id), 200)) as ClosedSignal;
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

  /** Once it shows: what a tick decides is written after the tick was answered. */
  filled(id: string): Promise<SignalDetail> {
    return this.#once(id, 'filled', (detail) => detail.filled_at !== null);
  }

  async ended(id: string): Promise<ClosedDetail> {
    return (await this.#once(id, 'closed', (detail) => detail.status === 'closed')) as ClosedDetail;
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

/** Status and code of an error. */
export const codeOf = async (answer: Response): Promise<[status: number, code: string]> => [
  answer.status,
  ((await answer.json()) as { code: string }).code,
];

async function expected(answer: Response, status: number): Promise<unknown> {
  if (answer.status !== status) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Prices of a service with the feed `push`, from an account of its own. */
export class TestMarket {
  readonly #url: string;
  readonly #key: string;

  private constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  static async of(service: RunningService): Promise<TestMarket> {
    return new TestMarket(service.url, (await service.key('premium', ['ingest'])).key);
  }

  /** The market stands here now. */
  async quote(symbol: string, bid: number, ask: number, time = Date.now()): Promise<void> {
    const body = JSON.stringify({ symbol, time, bid, ask });
    const answer = await fetch(`${this.#url}/ingest/ticks`, {
      method: 'POST',
      body,
      headers: { 'X-API-Key': this.#key },
    });
    const { accepted } = (await expected(answer, 200)) as { accepted: number };
    if (accepted !== 1) throw new Error(`the quote was refused: ${body}`);
  }
}

/** A buy at the market of a service whose prices move by themselves. */
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

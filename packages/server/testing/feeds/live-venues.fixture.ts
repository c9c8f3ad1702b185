// Fakes of the venues that `live` stands for, at the rate limits of the real ones, with a past and prices that go on.
import { DAY_MS } from '@tickwire/engine';
import { LIVE_MARKETS } from '../../src/config/feeds.ts';
import { fakeBinanceusdm } from './fake-binanceusdm.fixture.ts';
import { fakeBybit } from './fake-bybit.fixture.ts';
import { fakeHyperliquid } from './fake-hyperliquid.fixture.ts';
import { fakeKraken } from './fake-kraken.fixture.ts';
import { fakeOkx } from './fake-okx.fixture.ts';
import type { FakeProtocol } from './fake-protocol.fixture.ts';
import { FakeVenue } from './fake-venue.fixture.ts';

/** Instrument → the venue's own spelling, by venue. */
export type LiveMarkets = Readonly<Record<string, Readonly<Record<string, string>>>>;

const PROTOCOLS: Readonly<Record<string, (listed: readonly string[]) => FakeProtocol>> = {
  kraken: (listed) => fakeKraken(listed, { allowance: 5 }),
  hyperliquid: (listed) => fakeHyperliquid(listed, { weightsPerMinute: 1_200 }),
  binanceusdm: (listed) => fakeBinanceusdm(listed, { weightsPerMinute: 2_400 }),
  bybit: (listed) => fakeBybit(listed, { allowance: 600 }),
  okx: (listed) => fakeOkx(listed, { allowance: 20 }),
};
const PAST_MS = 1_100 * DAY_MS;
const QUOTES_MS = 250;

export class LiveVenues implements AsyncDisposable {
  readonly listedAt = Date.now() - PAST_MS;
  readonly #fakes = new Map<string, FakeVenue>();
  readonly #markets: LiveMarkets;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(markets: LiveMarkets = LIVE_MARKETS) {
    this.#markets = markets;
    for (const [name, symbols] of Object.entries(markets)) {
      const fake = new FakeVenue(PROTOCOLS[name]!(Object.values(symbols)));
      fake.tape.listedAt = this.listedAt;
      this.#fakes.set(name, fake);
    }
    this.#timer = setInterval(() => this.#trade(), QUOTES_MS);
  }

  /** The setting `venues`. */
  get settings(): Record<string, object> {
    return Object.fromEntries(
      [...this.#fakes].map(([name, { wsUrl: ws_url, restUrl: rest_url }]) => [
        name,
        { ws_url, rest_url, symbols: this.#markets[name] },
      ]),
    );
  }

  requests(venue: string): number {
    return this.#fakes.get(venue)!.restRequests.length;
  }

  /** Requests beyond a limit, and other faults. */
  get refusals(): number {
    return [...this.#fakes.values()].reduce((sum, { refusals }) => sum + refusals, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#fakes.values()].map((fake) => fake[Symbol.asyncDispose]()));
  }

  #trade(): void {
    for (const [name, fake] of this.#fakes)
      for (const venueSymbol of Object.values(this.#markets[name]!)) {
        fake.quote(venueSymbol);
        fake.trade(venueSymbol);
      }
  }
}

// Which markets the service runs, and the change to the others while it runs: `run-service.ts` starts the service again.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Markets, MarketsReport } from '@tickwire/contract';
import type { MarketControl } from '../accounts/markets-handlers.ts';
import { type Config, ConfigError, type Realm } from '../config/config.ts';
import { MARKETS_FILE, marketsText } from '../config/stored-markets.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import { writePrivateFile } from '../ops/durable-file.ts';
import { withFileErrors } from '../store/sqlite/errors.ts';

/** The response of the request leaves before the service stops. */
const ANSWER_MS = 100;

const marketsOf = (realm: Realm): Markets => (realm === 'sim' ? 'simulated' : 'live');

export class MarketChoice implements MarketControl {
  readonly #configOf: ((markets: Markets) => Config) | null;
  #config: Config;
  #next: Config | null = null;
  #failure: string | null = null;
  #due = Promise.withResolvers<Config>();

  /** `configOf`: the configuration with these markets; `null` if the process cannot start again, as in a replay. */
  constructor(config: Config, configOf: ((markets: Markets) => Config) | null = null) {
    this.#config = config;
    this.#configOf = configOf;
  }

  /** The configuration that runs. */
  get config(): Config {
    return this.#config;
  }

  /** Resolves when the service must stop and start again with this configuration. */
  get due(): Promise<Config> {
    return this.#due.promise;
  }

  report(): MarketsReport {
    return {
      markets: marketsOf(this.#config.realm),
      changing_to: this.#next && marketsOf(this.#next.realm),
      fixed: this.#fixed(this.#config),
      failure: this.#failure,
    };
  }

  prepare(markets: Markets): (() => Promise<void>) | null {
    const next = this.#configWith(markets);
    this.#requireNoOther(next);
    return next.realm === (this.#next ?? this.#config).realm ? null : () => this.#change(next);
  }

  async #change(next: Config): Promise<void> {
    this.#requireNoOther(next);
    await withStoreErrors(async () => this.#store(next));
    this.#next = next;
    setTimeout(() => this.#due.resolve(next), ANSWER_MS);
  }

  /** A change that has begun cannot be replaced by another one. */
  #requireNoOther({ realm }: Config): void {
    if (this.#next && this.#next.realm !== realm)
      throw new ServiceError('shutting_down', 'The service is changing over to other markets.');
  }

  /** The service runs with this configuration. */
  started(config: Config): void {
    this.#config = config;
    this.#next = null;
    this.#due = Promise.withResolvers();
    this.#failure = null;
  }

  /** The other markets could not start: those before are stored again, so that a later start does not fail, too. */
  failed(before: Config, next: Config, { message }: Error): void {
    this.started(before);
    this.#failure = `The ${marketsOf(next.realm)} markets could not start: ${message}.`;
    this.#store(before);
  }

  /** The markets before stopped without storing everything; the log says what. */
  lost(): void {
    const text = 'Some of the last ticks of the markets before could not be stored.';
    this.#failure = this.#failure === null ? text : `${this.#failure} ${text}`;
  }

  #store({ realm }: Config): void {
    const file = join(this.#config.data, MARKETS_FILE);
    withFileErrors(file, () => {
      mkdirSync(this.#config.data, { recursive: true });
      writePrivateFile(file, marketsText(marketsOf(realm)));
    });
  }

  #configWith(markets: Markets): Config {
    const refuse = (why: string): never => {
      throw new ServiceError('markets_fixed', why);
    };
    const fixed = this.#fixed(this.#config);
    if (fixed !== null) return refuse(fixed);
    try {
      const config = this.#configOf!(markets);
      // The configuration file may have changed since the start.
      return this.#fixed(config) === null ? config : refuse(this.#fixed(config)!);
    } catch (error) {
      if (error instanceof ConfigError)
        return refuse(`The service could not start with these markets: ${error.message}.`);
      throw error;
    }
  }

  #fixed({ role, feedsFrom }: Config): string | null {
    if (role !== 'all') return 'This service is a cluster. Set TICKWIRE_FEEDS for all of its nodes, and restart them.';
    if (this.#configOf === null) return 'This process plays a recording. Run "tickwire serve" for other markets.';
    if (feedsFrom === null) return null;
    return `The feeds are set by ${feedsFrom}. Remove that and restart the service to choose the markets here.`;
  }
}

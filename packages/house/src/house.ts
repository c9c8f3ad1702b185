// The house: its publishers, started and stopped together.
import { type Fetch, TickwireClient } from '@tickwire/client';
import { type Counts, Publisher, type Trouble } from './publisher.ts';
import type { StrategyName } from './strategies/index.ts';

/** A local service answers in milliseconds; a look must not hang into the next minute. */
const TIMEOUT_MS = 10_000;

export interface HouseOptions {
  /** Where the service is. */
  readonly url: string;
  /** A key with the scopes `read` and `publish` for each strategy, of an account of its own. */
  readonly publishers: readonly { readonly strategy: StrategyName; readonly key: string }[];
  readonly onTrouble: (trouble: Trouble) => void;
  readonly fetch?: Fetch;
}

export interface House {
  counts(): Readonly<Partial<Record<StrategyName, Counts>>>;
  /** Ends when nothing of it is under way any more. */
  stop(): Promise<void>;
}

export function startHouse({ url, publishers, onTrouble, fetch }: HouseOptions): House {
  const started = publishers.map(({ strategy, key }) => {
    const client = new TickwireClient({ url, apiKey: key, timeoutMs: TIMEOUT_MS, ...(fetch && { fetch }) });
    return { strategy, publisher: new Publisher({ client, strategy, onTrouble }) };
  });
  for (const { publisher } of started) publisher.start();
  return {
    counts: () => Object.fromEntries(started.map(({ strategy, publisher }) => [strategy, publisher.counts])),
    async stop() {
      await Promise.all(started.map(({ publisher }) => publisher.stop()));
    },
  };
}

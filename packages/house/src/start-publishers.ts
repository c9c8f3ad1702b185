// Starts and stops a set of example publishers.
import { type Fetch, TickwireClient } from '@tickwire/client';
import { type PublisherCounts, type PublisherFailure, StrategyPublisher } from './publisher.ts';
import type { StrategyName } from './strategies/index.ts';

/** A local service responds within milliseconds, and a scan must not run into the next minute. */
const TIMEOUT_MS = 10_000;

export interface StartOptions {
  /** Address of the service. */
  readonly url: string;
  /** For each strategy, a key with the scopes `read` and `publish`, of a separate account. */
  readonly publishers: readonly { readonly strategy: StrategyName; readonly key: string }[];
  readonly onError: (failure: PublisherFailure) => void;
  readonly fetch?: Fetch;
}

export interface RunningPublishers {
  counts(): Readonly<Partial<Record<StrategyName, PublisherCounts>>>;
  /** Resolves when no request is in flight any more. */
  stop(): Promise<void>;
}

export function startPublishers({ url, publishers, onError, fetch }: StartOptions): RunningPublishers {
  const started = publishers.map(({ strategy, key }) => {
    const client = new TickwireClient({ url, apiKey: key, timeoutMs: TIMEOUT_MS, ...(fetch && { fetch }) });
    return { strategy, publisher: new StrategyPublisher({ client, strategy, onError }) };
  });
  for (const { publisher } of started) publisher.start();
  return {
    counts: () => Object.fromEntries(started.map(({ strategy, publisher }) => [strategy, publisher.counts])),
    async stop() {
      await Promise.all(started.map(({ publisher }) => publisher.stop()));
    },
  };
}

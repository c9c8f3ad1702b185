// Runs the service until it is asked to stop. When the operator changes the markets, it stops in order and starts again with the
// others, in the same process and on the same ports: so it needs no supervisor, in executables and containers too.
import type { Markets } from '@tickwire/contract';
import type { Config } from '../config/config.ts';
import type { Log } from '../ops/log.ts';
import type { App } from './app.ts';
import { MarketChoice } from './market-choice.ts';
import type { SingleProcess } from './single-process.ts';
import { startRole } from './start.ts';

type Node = App | SingleProcess;

export interface RunOptions {
  readonly config: Config;
  readonly configOf: (markets: Markets) => Config;
  readonly log: Log;
  readonly stopping: AbortSignal;
  /** Called after each start. Returns how to stop the node; resolves with `false` if something could not be stored. */
  readonly onStarted: (node: Node, config: Config) => Promise<() => Promise<boolean>>;
}

/** Resolves when it has stopped, with `false` if it failed or something could not be stored. Rejects if it cannot start. */
export async function runService({ config, configOf, log, stopping, onStarted }: RunOptions): Promise<boolean> {
  const asked = Promise.withResolvers<null>();
  stopping.addEventListener('abort', () => asked.resolve(null));
  const choice = new MarketChoice(config, configOf);
  let node = await startRole(config, log, stopping, choice);
  let allStored = true;
  for (;;) {
    const stop = await onStarted(node, choice.config);
    const cause = await Promise.race([asked.promise, choice.due, ...(node.failure ? [node.failure] : [])]);
    if (cause instanceof Error) log.error('the service cannot continue', { error: cause });
    const stored = await stop();
    allStored &&= stored;
    if (cause === null || cause instanceof Error || stopping.aborted) return allStored && !(cause instanceof Error);
    // Otherwise the memory of the node that stopped would stay beside that of the next one for a while.
    Bun.gc(true);
    node = await startOther(choice, samePorts(cause, node), samePorts(choice.config, node), log, stopping);
    if (!stored) choice.lost();
  }
}

/** Starts with other markets, or again with those before if that fails. */
async function startOther(
  choice: MarketChoice,
  next: Config,
  before: Config,
  log: Log,
  stopping: AbortSignal,
): Promise<Node> {
  try {
    log.info('changing over to other markets', { realm: next.realm });
    const node = await startRole(next, log, stopping, choice);
    choice.started(next);
    return node;
  } catch (error) {
    log.error('the service could not start with other markets, and goes back', { realm: next.realm, error });
    try {
      choice.failed(before, next, error as Error);
    } catch (unstored) {
      log.error('the choice of markets could not be stored', { error: unstored });
    }
    return startRole(before, log, stopping, choice);
  }
}

/** A port that the system chose stays the same. */
function samePorts(config: Config, { url, metricsUrl }: Node): Config {
  const portOf = (text: string): number => Number(new URL(text).port);
  return {
    ...config,
    port: config.port || portOf(url),
    metrics_port: config.metrics_port === 0 && metricsUrl !== null ? portOf(metricsUrl) : config.metrics_port,
  };
}

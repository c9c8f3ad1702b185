// Starts the node of the configured role. Each role loads only the code it needs.
import { type Config, requireKeyFiles } from '../config/config.ts';
import { openFeeds } from '../market/feeds/open-feeds.ts';
import type { Log } from '../ops/log.ts';
import type { App } from './app.ts';
import type { MarketChoice } from './market-choice.ts';
import { type SingleProcess, startSingleProcess } from './single-process.ts';

export async function startRole(
  config: Config,
  log: Log,
  stopping: AbortSignal,
  markets: MarketChoice,
): Promise<App | SingleProcess> {
  requireKeyFiles(config);
  if (config.role === 'all') return startSingleProcess(config, log, openFeeds, markets);
  if (config.role === 'ingest') return (await import('./ingest-node.ts')).startIngest(config, log, openFeeds);
  return (await import('./gateway-node.ts')).startGateway(config, log, stopping);
}

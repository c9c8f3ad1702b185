// What all parts of a node share.
import type { InstrumentSpec } from '@tickwire/engine';
import type { Config } from '../config/config.ts';
import { IdempotencyCache } from '../http/idempotency-cache.ts';
import { LineRequests } from '../http/line-requests.ts';
import { ReadWork } from '../http/read-work.ts';
import type { Catalogue } from '../market/catalogue.ts';
import type { ServiceConfig } from '../market/feeds/venues/configured-venues.ts';
import type { Log } from '../ops/log.ts';
import type { Store } from '../store/store.ts';
import type { Access } from './access.ts';
import { MarketChoice } from './market-choice.ts';

export interface NodeContext {
  readonly config: ServiceConfig;
  readonly catalogue: Catalogue;
  /** Those of the catalogue: the list may grow. */
  readonly instruments: readonly InstrumentSpec[];
  readonly store: Store;
  readonly access: Access;
  readonly idempotency: IdempotencyCache;
  readonly lines: LineRequests;
  readonly reads: ReadWork;
  readonly markets: MarketChoice;
  readonly now: () => number;
  readonly log: Log;
}

type Given = Omit<NodeContext, 'config' | 'instruments' | 'idempotency' | 'lines' | 'reads' | 'markets'> &
  Partial<Pick<NodeContext, 'markets'>> & { readonly config: Config };

export function nodeContext({ config: given, ...parts }: Given): NodeContext {
  const { catalogue, store, now, markets = new MarketChoice(given) } = parts;
  const { instruments } = catalogue;
  const config: ServiceConfig = { ...given, added: catalogue.added };
  const idempotency = new IdempotencyCache(store.access, now);
  const lines = new LineRequests({ idempotency, linesPerMinute: config.ingest_lines_per_minute, now });
  return { ...parts, config, instruments, markets, idempotency, lines, reads: new ReadWork() };
}

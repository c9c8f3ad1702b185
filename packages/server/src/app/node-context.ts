// What all parts of a node share.
import type { InstrumentSpec } from '@tickwire/engine';
import type { Config } from '../config/config.ts';
import { IdempotencyCache } from '../http/idempotency-cache.ts';
import { LineRequests } from '../http/line-requests.ts';
import { ReadWork } from '../http/read-work.ts';
import type { Log } from '../ops/log.ts';
import type { Store } from '../store/store.ts';
import type { Access } from './access.ts';

export interface NodeContext {
  readonly config: Config;
  readonly instruments: readonly InstrumentSpec[];
  readonly store: Store;
  readonly access: Access;
  readonly idempotency: IdempotencyCache;
  readonly lines: LineRequests;
  readonly reads: ReadWork;
  readonly now: () => number;
  readonly log: Log;
}

export function nodeContext(parts: Omit<NodeContext, 'idempotency' | 'lines' | 'reads'>): NodeContext {
  const { config, store, now } = parts;
  const idempotency = new IdempotencyCache(store.access, now);
  const lines = new LineRequests({ idempotency, linesPerMinute: config.ingest_lines_per_minute, now });
  return { ...parts, idempotency, lines, reads: new ReadWork() };
}

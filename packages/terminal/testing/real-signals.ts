// Signals under rules version 2 that a service judged in simulated markets, with all their records: every kind of record, and
// every way a signal can end.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEntry, SignalDetail } from '@tickwire/client';

export interface RealSignal {
  readonly signal: SignalDetail;
  readonly records: readonly LogEntry[];
}

const text = readFileSync(join(import.meta.dir, 'real-signals.json'), 'utf8');

/** A copy for each test, which may change it. */
export const realSignals = (): RealSignal[] => JSON.parse(text) as RealSignal[];

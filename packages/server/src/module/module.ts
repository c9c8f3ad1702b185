// What a domain gives to the composition root (app/): its endpoints, streams, journal readers and metrics, and its periodic work.
import type { Api } from '../http/api.ts';
import type { Handler, Routes } from '../http/handler.ts';
import type { JournalReader } from '../journal/journal.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { Timers } from '../ops/timers.ts';
import type { GatewayChannel } from '../ws/channel.ts';

/** When a reader gets a batch of the journal. The order of phases is in app/phases.ts. */
export type Phase = 'instruments' | 'numbers' | 'prices' | 'tape' | 'verdicts' | 'alerts' | 'lists' | 'clients';

export interface PhasedReader {
  readonly phase: Phase;
  readonly read: JournalReader;
}

export interface Module {
  /** Handlers of endpoints. */
  readonly routes?: Routes;
  /** Handlers of paths that are not in the table of endpoints. `routes`: those of all endpoints, by path. */
  readonly paths?: (api: Api, routes: Readonly<Record<string, Handler>>) => Readonly<Record<string, Handler>>;
  /** Channels of the streams. Called once, when the state of the last run is restored. */
  channels?(): readonly GatewayChannel[];
  /** Readers of the journal. */
  readonly readers?: readonly PhasedReader[];
  metrics?(metrics: Metrics): void;
  /** Starts periodic work and everything that brings new events. */
  start?(timers: Timers): void;
  /** Ends what brings new events. */
  stop?(): Promise<void> | void;
  /** Resolves when everything so far is stored, rejects if it cannot be. Called once all modules have stopped, in their order. */
  drain?(): Promise<void>;
}

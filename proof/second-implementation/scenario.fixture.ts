// The input of judge.py, as README.md describes it. Times are in milliseconds, prices in units of the instrument.
import type { Direction, SignalTarget } from '@tickwire/contract';

export interface Scenario {
  readonly scenario: number;
  readonly instrument: { readonly digits: number; readonly pip_size: number };
  readonly events: readonly ScenarioEvent[];
}

interface Numbered {
  readonly seq: number;
  readonly time: number;
}
interface Priced extends Numbered {
  readonly source: string;
}
interface Requested {
  readonly at: number;
  readonly signal: string;
}

export type ScenarioEvent =
  | (Priced & { readonly type: 'quote'; readonly bid: number; readonly ask: number })
  | (Priced & { readonly type: 'trade'; readonly price: number; readonly side: Direction })
  | (Priced & { readonly type: 'bar'; readonly partial: boolean } & Record<'open' | 'high' | 'low' | 'close', number>)
  | (Numbered & { readonly type: 'disconnect' | 'backfilled' | 'failover' | 'clock' })
  | (Numbered & { readonly type: 'gap'; readonly from: number; readonly to: number })
  | (Requested & { readonly type: 'publish'; readonly publisher: string; readonly request: SignalRequest })
  | (Requested & { readonly type: 'amend'; readonly stop_loss: number })
  | (Requested & { readonly type: 'close' | 'void' });

export interface SignalRequest {
  readonly direction: Direction;
  readonly order?: 'market';
  /** Missing in a market order. */
  readonly entry?: number;
  readonly max_slippage?: number;
  readonly stop_loss: number;
  readonly take_profit?: number;
  readonly targets?: readonly SignalTarget[];
  readonly breakeven_after?: number;
  readonly expires_at?: number;
}

/** What an implementation says about one signal: the output of judge.py. */
export type Answer = { readonly signal: string } & (
  | { readonly rejected: readonly string[] }
  | {
      readonly order: string;
      readonly quote: number;
      readonly entry_deadline: number;
      readonly deadline: number;
      readonly state: string;
      readonly requests: readonly { type: string; at: number; rejected: readonly string[] }[];
      readonly filled: Readonly<Record<string, number>> | null;
      readonly exits: readonly Readonly<Record<string, number>>[];
      readonly closed: Readonly<Record<string, unknown>> | null;
      readonly stop_in_force?: number;
      readonly voided?: Readonly<Record<string, unknown>>;
    }
);

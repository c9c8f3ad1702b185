// What an account did in a replay session about its practice signals: publications, changes and requests to close, with the clock
// and the quote of each. Results are not kept: they follow from these and the recorded past.
import type { SignalRequest } from '@tickwire/contract';
import type { MarketSymbol, Order, QuoteEvidence } from '@tickwire/engine';

/** The publisher of all practice signals. */
export const PRACTICE_PUBLISHER = 'practice';
/** The id of the practice signal that an action publishes. */
export const practiceId = (action: number): string => `practice_${action}`;
export const isPracticeId = (id: string): boolean => id.startsWith('practice_');
/** Practice signals of a session. */
export const MAX_PRACTICE_SIGNALS = 500;
/** Publications, changes and requests to close of a session. */
export const MAX_PRACTICE_ACTIONS = 2_000;

interface Action {
  /** Number of the action in its session, from 1. */
  readonly number: number;
  /** Clock of the session in epoch milliseconds. */
  readonly at: number;
  readonly symbol: MarketSymbol;
}

export interface PracticePublication extends Action {
  readonly kind: 'publish';
  readonly order: Order;
  /** What its record says besides the order. */
  readonly details: Pick<SignalRequest, 'order' | 'targets' | 'note'>;
  readonly idempotency: { readonly key: string; readonly bodyHash: string } | null;
}

export interface PracticeAmendment extends Action {
  readonly kind: 'amend';
  readonly signal: string;
  /** Ticks. */
  readonly stopLoss: number;
  readonly quote: QuoteEvidence;
}

export interface PracticeClosing extends Action {
  readonly kind: 'close';
  readonly signal: string;
  readonly quote: QuoteEvidence;
}

export type PracticeAction = PracticePublication | PracticeAmendment | PracticeClosing;

/** The actions of a session as they are kept. */
export interface PracticeDocument {
  /** As in ReplayState: rises with each seek. */
  readonly seeks: number;
  /** Number of the last action, also if a seek has dropped it. */
  readonly last: number;
  /** In the order in which they were added. */
  readonly actions: readonly PracticeAction[];
}

export const NO_PRACTICE: PracticeDocument = { seeks: 0, last: 0, actions: [] };

/** In the order of the clock. */
export const inClockOrder = (actions: readonly PracticeAction[]): readonly PracticeAction[] =>
  actions.toSorted((a, b) => a.at - b.at || a.number - b.number);

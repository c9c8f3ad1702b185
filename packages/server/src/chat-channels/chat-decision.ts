// What was decided on a message, and what the bot answers.
import type { ChatOutcome } from '@tickwire/contract';
import { ServiceError } from '../errors/service-error.ts';
import type { ChatDecision } from '../store/chat-store.ts';

export interface IncomingMessage {
  /** The platform's id. */
  readonly id: string;
  readonly sentAt: number;
  readonly text: string;
  /** Whether others read the chat: a channel. */
  readonly isPublic: boolean;
  readonly repliesTo: { readonly id: string; readonly text: string } | null;
}

export interface Decided extends ChatDecision {
  /** The publication that a preview shows: JSON. */
  readonly draft: string | null;
}

/** `reply`: what the bot answers, `null` for nothing. */
export const decision = (outcome: ChatOutcome, detail: string, reply: string | null): Decided => ({
  ...{ outcome, detail, reply, signal: null, draft: null },
  posting: reply === null ? 'done' : 'answer',
});

export const refused = (detail: string, reply = `Not published. ${detail}`): Decided =>
  decision('refused', detail, reply);

const LATE_TEXT = 'The message was older than 30 seconds when it arrived. Nothing is backdated: send it again.';
export const LATE = decision('late', LATE_TEXT, LATE_TEXT);

/** Errors that say something about the account. */
const PRIVATE_ERRORS: ReadonlySet<string> = new Set([
  'too_many_signals',
  'too_many_signals_of_symbol',
  'signals_exhausted',
  'signature_required',
]);

/** Throws what is no answer to the publisher: a store that is down must not refuse a signal. */
export function refusedBy(error: unknown, isPublic: boolean, what = 'Not published.'): Decided {
  if (!(error instanceof ServiceError) || error.code === 'store_unavailable') throw error;
  const isPrivate = isPublic && PRIVATE_ERRORS.has(error.code);
  return refused(error.message, `${what} ${isPrivate ? 'Its publisher sees the reason in Tickwire.' : error.message}`);
}

// One thing that was looked at in a proof, and what came of it, in words for a person.
import type { LogRecord } from '@tickwire/client';

export type PublishedRecord = Extract<LogRecord, { type: 'published' }>;
export type ClosedRecord = Extract<LogRecord, { type: 'closed' }>;
export type Evidence = ClosedRecord['decided'];

/** `open`: it could not be looked at here, which is no fault. */
export type Outcome = 'right' | 'wrong' | 'open';

export interface Step {
  readonly title: string;
  readonly outcome: Outcome;
  readonly text: string;
}

/** Right where there is no fault. */
export function stepOf(title: string, right: string, faults: readonly string[]): Step {
  if (faults.length === 0) return { title, outcome: 'right', text: right };
  return { title, outcome: 'wrong', text: faults.map((fault) => `${fault}.`).join(' ') };
}

/** A record that is not what it should be may break what reads it: that is a fault of the record. */
export async function attempt(title: string, look: () => Step | Promise<Step>): Promise<Step> {
  try {
    return await look();
  } catch {
    return {
      title,
      outcome: 'wrong',
      text: 'The record cannot be read: a field is missing or is not what it should be.',
    };
  }
}

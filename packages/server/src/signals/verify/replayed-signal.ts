// One signal in the replay from the tape: the records that the ticks must lead to, and the evidence that must be on the tape.
import type { Evidence } from '@tickwire/contract';
import type { ClosedVerdict } from '@tickwire/engine';
import { describeEvidence } from './evidence-text.ts';
import { differencesOf, type SignalVerdict } from './record-difference.ts';
import { type DecidedRecord, evidenceOf, type RecordedSignal } from './recorded-signal.ts';

export class ReplayedSignal {
  readonly signal: RecordedSignal;
  /** Evidence not found on the tape yet. */
  readonly unmatched: Set<Evidence>;
  done = false;
  faults = 0;
  /** Records that events of the market must lead to, in order. */
  readonly #recorded: readonly DecidedRecord[];
  #next = 0;

  constructor(signal: RecordedSignal) {
    this.signal = signal;
    const { filled, exits, closed } = signal;
    this.#recorded = [...(filled ? [filled] : []), ...exits, ...(closed && signal.isClosedByEvent ? [closed] : [])];
    const distinct = new Map<string, Evidence>();
    for (const e of signal.evidence()) distinct.set(JSON.stringify(e), e);
    this.unmatched = new Set(distinct.values());
  }

  get id(): string {
    return this.signal.order.id;
  }

  /** Events up to this `seq` must be in the log. */
  lastSeq(judgedUntil: number): number {
    const { closed, isVoided } = this.signal;
    if (closed) return closed.decided_seq;
    if (!isVoided) return judgedUntil;
    return Math.max(...[...this.signal.evidence()].map(({ seq }) => seq));
  }

  /** Whether the log states that the event with this `seq` reached a target. */
  recordsTargetBy(seq: number): boolean {
    return this.#recorded.some(
      (record) =>
        evidenceOf(record).seq === seq &&
        (record.type === 'exited' || (record.type === 'closed' && record.reason === 'take_profit')),
    );
  }

  /**
   * The difference between a verdict and the next record; `null` if they agree. `bestIsOpen`: the tape does not show whether the
   * verdict has a best case.
   */
  differenceFrom(verdict: SignalVerdict, e: Evidence, bestIsOpen: boolean): string | null {
    const next = this.#recorded[this.#next++];
    const event = `${describeEvidence(e)} ${whatOf(verdict)}`;
    if (!next) return `${event}, but the log has no such record`;
    const named = evidenceOf(next);
    if (next.type !== verdict.kind || named.seq !== e.seq)
      return `${event}; in the log, ${describeEvidence(named)} has ${next.type} it`;
    return this.#differenceOf(next, verdict, bestIsOpen);
  }

  /** The same of a closing by the deadline. */
  closingDifference(verdict: ClosedVerdict): string | null {
    return this.#differenceOf(this.signal.closed!, verdict, false);
  }

  /** The event of the next record, if it is not after `seq`: it has not led to the record. */
  missedBy(seq: number): Evidence | null {
    const next = this.#recorded[this.#next];
    const e = next && evidenceOf(next);
    return e && e.seq <= seq ? e : null;
  }

  #differenceOf(record: DecidedRecord, verdict: SignalVerdict, bestIsOpen: boolean): string | null {
    for (const { field, logged, expected } of differencesOf(record, verdict, this.signal.published)) {
      if (field === 'pnl_best' && bestIsOpen && logged === 'missing') continue;
      return `${field} is ${expected} by the tape, ${logged} in the log`;
    }
    return null;
  }
}

function whatOf(verdict: SignalVerdict): string {
  if (verdict.kind === 'filled') return 'fills it';
  return verdict.kind === 'exited' ? `reaches target ${verdict.target}` : `closes it as ${verdict.reason}`;
}

// Writes the verdicts of the verifier to the log and announces them once they are stored.
import type { ClosedSignal } from '@tickwire/contract';
import type { ClosedVerdict, ExitedVerdict, FilledVerdict, Verdict } from '@tickwire/engine';
import type { Journal } from '../journal/journal.ts';
import type { ActiveSignals } from './active-signals.ts';
import type { Ledger } from './ledger.ts';
import { toSignalChangedEvent, toSignalClosedEvent, toSignalFilledEvent } from './signal-events.ts';
import { serializeFill } from './signal-history.ts';
import { closedFacts, closedRecord, exitedRecord, filledRecord } from './signal-records.ts';

export interface VerdictRecorderOptions {
  readonly active: ActiveSignals;
  readonly ledger: Ledger;
  readonly journal: Journal;
  /** Display name of a publisher. */
  readonly nameOf: (publisher: string) => string;
}

export class VerdictRecorder {
  /** Closings by reason, for the metrics. */
  readonly closedBy = new Map<string, number>();
  readonly #options: VerdictRecorderOptions;
  /** Closings that callers wait for, by signal. */
  readonly #waiting = new Map<string, PromiseWithResolvers<ClosedSignal>>();

  constructor(options: VerdictRecorderOptions) {
    this.#options = options;
  }

  record(verdict: Verdict): void {
    if (verdict.kind === 'gap') {
      const { symbol, seq, from, to } = verdict;
      this.#options.ledger.add({ seq, gap: { symbol, seq, from, to } });
    } else if (verdict.kind === 'filled') this.#fill(verdict);
    else if (verdict.kind === 'exited') this.#exit(verdict);
    else this.#close(verdict);
  }

  /** The closing once it is stored. */
  closing(id: string): Promise<ClosedSignal> {
    const waiting = this.#waiting.get(id) ?? Promise.withResolvers<ClosedSignal>();
    this.#waiting.set(id, waiting);
    return waiting.promise;
  }

  /** The signal is stored as closed. */
  announceClosing(signal: ClosedSignal): void {
    this.closedBy.set(signal.close_reason, (this.closedBy.get(signal.close_reason) ?? 0) + 1);
    this.#waiting.get(signal.id)?.resolve(signal);
    this.#waiting.delete(signal.id);
  }

  #fill(verdict: FilledVerdict): void {
    const { active, ledger, journal, nameOf } = this.#options;
    const signal = active.get(verdict.id);
    if (!signal) return;
    const { id, fill, seq } = verdict;
    const { record: published } = signal;
    const source = fill.evidence?.source ?? published.quote.source;
    if (published.rules === 1) {
      ledger.add({ seq, fill: { id, filledAt: fill.at, source, fill: serializeFill(fill) } });
      return;
    }
    const record = filledRecord(verdict, published, ledger.timestamp());
    ledger.add({
      seq,
      record,
      fill: { id, filledAt: fill.at, source, fill: null },
      onWritten: (stored) =>
        journal.append([toSignalFilledEvent(published, record, stored!.n, nameOf(published.publisher))]),
    });
  }

  #exit(verdict: ExitedVerdict): void {
    const { active, ledger, journal, nameOf } = this.#options;
    const signal = active.get(verdict.id);
    if (!signal) return;
    const record = exitedRecord(verdict, signal.record, ledger.timestamp());
    ledger.add({
      seq: verdict.seq,
      record,
      onWritten: (stored) => journal.append([toSignalChangedEvent(record, stored!.n, nameOf(record.publisher))]),
    });
  }

  #close(verdict: ClosedVerdict): void {
    const { active, ledger, journal, nameOf } = this.#options;
    const published = active.remove(verdict.id)?.record;
    if (!published) return;
    // A request that was made before waits for it, and one that comes before it is stored.
    void this.closing(verdict.id);
    const record = closedRecord(verdict, published, ledger.timestamp());
    const facts = closedFacts(verdict, published, record);
    ledger.add({
      seq: verdict.decidedSeq,
      record,
      closed: {
        id: verdict.id,
        closedAt: verdict.closedAt,
        // Ticks between the last price and the deadline could have decided.
        decidedAt: Math.max(verdict.decided.time, verdict.closedAt - 1),
        reason: verdict.reason,
        pnlR: record.pnl_r,
        ...facts,
      },
      onWritten: (stored) => {
        const { fill } = verdict;
        const filled = { filledAt: fill?.at ?? null, filledSource: fill?.evidence?.source ?? null };
        const event = toSignalClosedEvent(
          published,
          record,
          { n: stored!.n, ...filled, facts },
          nameOf(record.publisher),
        );
        journal.append([event]);
        this.announceClosing(event.signal);
      },
    });
  }
}

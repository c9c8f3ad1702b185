// Writes the verdicts of the verifier to the log and announces them once they are stored.
import type { ClosedSignal } from '@tickwire/contract';
import type { ClosedVerdict, EpochMs, ExitedVerdict, FilledVerdict, Verdict } from '@tickwire/engine';
import type { Journal } from '../journal/journal.ts';
import type { ActiveSignals } from './active-signals.ts';
import type { Ledger, LedgerItem } from './ledger.ts';
import { toSignalChangedEvent, toSignalClosedEvent, toSignalFilledEvent } from './signal-events.ts';
import { closedRecord, exitedRecord, feedRecord, filledRecord, rankedR } from './signal-records.ts';

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
    if (verdict.kind === 'gap' || verdict.kind === 'disconnect') {
      const { ledger } = this.#options;
      const { symbol, seq } = verdict;
      const gap = verdict.kind === 'gap' && { gap: { symbol, seq, from: verdict.from, to: verdict.to } };
      ledger.add({ seq, record: feedRecord(verdict, ledger.timestamp()), ...gap });
    } else if (verdict.kind === 'filled') this.#fill(verdict);
    else if (verdict.kind === 'exited') this.#exit(verdict);
    else this.#close(verdict);
  }

  /** The closing once it is stored; call it before. */
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
    const published = this.#options.active.get(verdict.id)?.record;
    if (!published) return;
    const { journal, nameOf } = this.#options;
    const { id, fill, seq } = verdict;
    this.#queue(id, seq, (at) => {
      const record = filledRecord(verdict, published, at);
      return {
        seq,
        record,
        fill: { id, filledAt: fill.at },
        onWritten: (stored) =>
          journal.append([toSignalFilledEvent(published, record, stored!.n, nameOf(published.publisher))]),
      };
    });
  }

  #exit(verdict: ExitedVerdict): void {
    const published = this.#options.active.get(verdict.id)?.record;
    if (!published) return;
    const { journal, nameOf } = this.#options;
    const { id, seq } = verdict;
    this.#queue(id, seq, (at) => {
      const record = exitedRecord(verdict, published, at);
      return {
        seq,
        record,
        onWritten: (stored) => journal.append([toSignalChangedEvent(record, stored!.n, nameOf(record.publisher))]),
      };
    });
  }

  #close(verdict: ClosedVerdict): void {
    const published = this.#options.active.remove(verdict.id)?.record;
    if (!published) return;
    const { journal, nameOf } = this.#options;
    const { id, decidedSeq: seq, decided, closedAt } = verdict;
    this.#queue(id, seq, (at) => {
      const record = closedRecord(verdict, published, at);
      return {
        seq,
        record,
        closed: {
          id,
          // Ticks between the last price and the deadline could have decided.
          decidedAt: Math.max(decided.time, closedAt - 1),
          rankR: rankedR(verdict, published, record),
        },
        onWritten: (stored) => {
          const event = toSignalClosedEvent(published, record, stored!.n, nameOf(record.publisher));
          journal.append([event]);
          this.announceClosing(event.signal);
        },
      };
    });
  }

  #queue(signal: string, seq: number, toItem: (at: EpochMs) => LedgerItem): void {
    const { ledger } = this.#options;
    const at = ledger.timestamp();
    ledger.add({ seq, at, signal, toItem: () => toItem(at) });
  }
}

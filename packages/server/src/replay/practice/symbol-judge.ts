// Judges the practice signals of one instrument by its recorded past, with the rules of real signals. It plays the past on its own,
// and only while a signal is active: so its results do not depend on when it is asked, by which gateway, or on seeks.

import type { LogRecord } from '@tickwire/contract';
import {
  asEpochMs,
  type ClosedVerdict,
  type EpochMs,
  type InstrumentSpec,
  type Verdict,
  Verifier,
} from '@tickwire/engine';
import { pauses } from '../../ops/pauses.ts';
import type { UnchainedRecord } from '../../signals/log-records.ts';
import {
  amendedRecord,
  closedRecord,
  closeRequestedRecord,
  exitedRecord,
  filledRecord,
  type Published,
  publishedRecord,
  rankedR,
} from '../../signals/signal-records.ts';
import { inOrder, nextMinute, startOf } from '../event-player.ts';
import type { PlayedEvent } from '../played-event.ts';
import { type PastStore, SymbolTape } from '../symbol-tape.ts';
import { PRACTICE_PUBLISHER, type PracticeAction } from './practice-actions.ts';

/** Counts events that were played. Returns false if no more may be played now. */
export type CountEvents = (events: number) => boolean;

export interface PracticeEntry {
  /** Clock at which it was known. */
  readonly at: number;
  /** Number of the action that it records; 0 if events decided it. */
  readonly action: number;
  readonly record: UnchainedRecord<LogRecord>;
  /** Of a closing. */
  readonly rankR: number | null;
  /** Of a publication. */
  readonly note: string | null;
}

export class SymbolJudge {
  readonly entries: PracticeEntry[] = [];
  readonly #spec: InstrumentSpec;
  readonly #store: PastStore;
  readonly #verifier: Verifier;
  readonly #published = new Map<string, Published>();
  /** `null` while no signal is active. */
  #tape: SymbolTape | null = null;
  /** Everything up to this time is judged. */
  #time = 0;
  /** Numbers of the actions that are included, in the order of the clock. */
  readonly #included: number[] = [];
  #seq = 0;
  #uncounted = 0;

  constructor(spec: InstrumentSpec, store: PastStore) {
    this.#spec = spec;
    this.#store = store;
    this.#verifier = new Verifier([spec]);
  }

  get verifier(): Pick<Verifier, 'find'> {
    return this.#verifier;
  }

  /** Whether it can go on to include these actions of its instrument, which are in the order of the clock. */
  canContinueWith(actions: readonly PracticeAction[], to: number): boolean {
    return (
      this.#time <= to &&
      actions.length >= this.#included.length &&
      actions.every(({ number, at }, index) =>
        index < this.#included.length ? number === this.#included[index] : at >= this.#time,
      )
    );
  }

  /** Judges up to `to`, actions included. Returns false if it had to stop before; the next call continues there. */
  async judge(actions: readonly PracticeAction[], to: number, count: CountEvents): Promise<boolean> {
    while (this.#included.length < actions.length) {
      const action = actions[this.#included.length]!;
      if (!(await this.#advance(action.at, count))) return false;
      this.#include(action);
    }
    return this.#advance(to, count);
  }

  async #advance(to: number, count: CountEvents): Promise<boolean> {
    const pause = pauses();
    while (this.#time < to) {
      if (this.#verifier.active === 0) {
        this.#stop();
        this.#time = to;
        break;
      }
      const turn = pause();
      if (turn) await turn;
      if (!count(this.#uncounted)) return false;
      this.#uncounted = 0;
      this.#tape ??= await this.#openTape();
      const tape = this.#tape;
      const end = Math.min(to, nextMinute(this.#time));
      await tape.load(end);
      const events = inOrder(tape.take(end), end);
      for (const event of events) this.#read(event);
      this.#uncounted = events.length;
      this.#time = end;
    }
    return true;
  }

  /** Nothing is played until a signal is active: then events are numbered from 1 again. */
  #stop(): void {
    this.#tape = null;
    this.#seq = 0;
  }

  /** The tape, read up to the time that is judged. */
  async #openTape(): Promise<SymbolTape> {
    const tape = new SymbolTape(this.#store, this.#spec, startOf(this.#time));
    await tape.load(this.#time);
    tape.take(this.#time);
    return tape;
  }

  #read({ arrival, event, source }: PlayedEvent): void {
    const { symbol } = this.#spec;
    const verdicts: Verdict[] = [];
    const seq = ++this.#seq;
    if (event.kind === 'quote') this.#verifier.readQuote(symbol, event, seq, source, verdicts);
    // Trades judge only what a source has missed, and a bar is the same as the quotes that were made of it.
    else if (event.kind === 'clock') this.#verifier.read({ firstSeq: seq, events: [event], source }, verdicts);
    for (const verdict of verdicts) this.#record(verdict, asEpochMs(arrival));
  }

  #record(verdict: Verdict, at: EpochMs): void {
    if (verdict.kind === 'gap' || verdict.kind === 'disconnect') return;
    const published = this.#published.get(verdict.id)!;
    const add = (record: PracticeEntry['record'], rankR: number | null = null): void => {
      this.entries.push({ at, action: 0, record, rankR, note: null });
    };
    if (verdict.kind === 'filled') add(filledRecord(verdict, published, at));
    else if (verdict.kind === 'exited') add(exitedRecord(verdict, published, at));
    else this.#close(verdict, published, at, add);
  }

  #close(
    verdict: ClosedVerdict,
    published: Published,
    at: EpochMs,
    add: (record: PracticeEntry['record'], rankR: number) => void,
  ): void {
    const record = closedRecord(verdict, published, at);
    add(record, rankedR(verdict, published, record));
  }

  #include(action: PracticeAction): void {
    this.#included.push(action.number);
    const record = this.#recordOf(action);
    if (!record) return;
    const note = action.kind === 'publish' ? (action.details.note ?? null) : null;
    this.entries.push({ at: action.at, action: action.number, record, rankR: null, note });
  }

  /** `null` if the signal is not active any more. */
  #recordOf(action: PracticeAction): PracticeEntry['record'] | null {
    const isFirst = this.#verifier.active === 0;
    if (isFirst) this.#stop();
    const seq = this.#seq;
    const at = asEpochMs(action.at);
    if (action.kind === 'publish') {
      const order = { ...action.order, accepted: { ...action.order.accepted, seq } };
      const record = publishedRecord(order, this.#spec, {
        publisher: PRACTICE_PUBLISHER,
        request: action.details,
        signed: null,
      });
      if (isFirst) this.#verifier.seedQuote(action.symbol, order.accepted);
      this.#published.set(order.id, record);
      this.#verifier.add(order);
      return record;
    }
    const { signal } = action;
    if (!this.#verifier.find(signal)) return null;
    const published = this.#published.get(signal)!;
    const quote = { ...action.quote, seq };
    if (action.kind === 'close') {
      const request = { at, quote };
      this.#verifier.requestClose(signal, request);
      return closeRequestedRecord(request, published, null);
    }
    const amendment = { stopLoss: action.stopLoss, at, quote };
    this.#verifier.amend(signal, amendment);
    return amendedRecord(amendment, published, null);
  }
}

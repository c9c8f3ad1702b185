// Reads the journal and lets the alert book judge it; turns what fires into firings with messages for the writer.
//
// The state of an alert is stored with the `seq` it belongs to. After a restart the tape is judged again: each alert joins
// behind the event of its own state, so none misses an event and none sees one twice.
import type { AlertCondition, CalendarEvent, NewsDetail } from '@tickwire/contract';
import {
  AlertBook,
  type AlertInput,
  bySymbol,
  type Firing,
  type InstrumentSpec,
  type Lookup,
  type MarketSymbol,
  titleOf,
  type WarmUp,
} from '@tickwire/engine';
import { type AnySignalEvent, type Batch, isSignalEvent, type JournalEvent } from '../journal/journal.ts';
import type { AlertMarks, AlertProgress, AlertRow, SubscriptionRow } from '../store/alert-store.ts';
import { AlertRows, isJudged, judgedSpec, writeState } from './alert-rows.ts';
import type { Fired, MessageOptions } from './firing-messages.ts';
import { calendarInput, HAPPENING_OF, headlineInput, signalInput } from './journal-inputs.ts';
import { JudgedSoFar } from './judged-so-far.ts';
import type { Outbox } from './outbox.ts';
import { RestoredBars } from './restored-bars.ts';
import type { SubscriptionList } from './subscription-list.ts';
import { type Notice, newsNotice, signalNotice } from './subscription-notices.ts';
import { WaitingAlerts } from './waiting-alerts.ts';

export interface AlertJudgeOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly subscriptions: SubscriptionList;
  readonly outbox: Outbox;
  /** Whether alerts of the account may fire. */
  readonly isActive: (account: string) => boolean;
  /** Sources whose items are never judged: simulated ones among real ones. */
  readonly hidden?: { readonly news: string | null; readonly calendar: string | null };
  readonly now: () => number;
}

type Cause = Pick<MessageOptions, 'signal' | 'news'> & Pick<Fired, 'knownAt'>;

export class AlertJudge {
  /** Time spent on judging, in milliseconds, and firings, for the metrics. */
  judgingMs = 0;
  fired = 0;
  readonly book: AlertBook;
  readonly #options: AlertJudgeOptions;
  readonly #specs: Lookup<InstrumentSpec>;
  readonly rows = new AlertRows();
  /** Firings of alerts that are not stored yet. */
  readonly #held = new Map<string, (() => void)[]>();
  readonly #waiting = new WaitingAlerts();
  /** Bars that the indicators of waiting alerts had read. */
  readonly bars: RestoredBars;
  readonly #judged = new JudgedSoFar();
  /** The signal or item that is being judged. */
  #cause: Cause = {};
  /** Signals and news that arrive before the stores are caught up; `null` afterwards. */
  #early: { readonly seq: number; readonly event: JournalEvent }[] | null = [];
  /** While records of the store are caught up: when the service learned of the one being judged. */
  #knownAt: number | null = null;

  constructor(options: AlertJudgeOptions) {
    this.#options = options;
    this.#specs = bySymbol(options.instruments);
    this.book = new AlertBook({ instruments: options.instruments, onFire: (firing) => this.#onFire(firing) });
    this.bars = new RestoredBars((condition) => this.book.warmUpOf(condition));
  }

  get marks(): AlertMarks {
    return this.#judged.marks;
  }

  /** Sets the position behind which everything is judged. */
  restoreMarks(marks: AlertMarks): void {
    this.#judged.restore(marks);
  }

  /** An alert of an earlier run. It joins when the replay passes the event of its state. */
  restore(row: AlertRow): void {
    this.rows.put(row);
    if (isJudged(row)) this.#waiting.add(row);
  }

  /** Judges an event of the tape again, in order of `seq`. */
  replay(seq: number, event: AlertInput): void {
    if (this.#waiting.size > 0) {
      this.#join(seq);
      this.bars.read(event);
    }
    this.#judged.seq = seq;
    this.book.read(seq, event);
  }

  /** Everything of the tape is judged: the journal follows. */
  restored(): void {
    this.#join(Number.POSITIVE_INFINITY);
    this.bars.clear();
    this.book.resume();
  }

  readonly read = ({ firstSeq, events }: Batch): void => {
    const started = performance.now();
    for (let index = 0; index < events.length; index++) this.#event(firstSeq + index, events[index]!);
    this.judgingMs += performance.now() - started;
  };

  /** Judges a record of the signal log that the journal did not deliver here. */
  catchUpSignal(event: AnySignalEvent): void {
    const input = signalInput(event);
    this.#knownAt = input?.time ?? null;
    if (event.n > this.#judged.signalN) this.#signal(null, event);
    this.#knownAt = null;
  }

  /** The same for a headline, unless it was judged before. */
  catchUpNews(item: NewsDetail, seenAt: number): void {
    this.#knownAt = seenAt;
    this.#headline(null, item, seenAt);
    this.#knownAt = null;
  }

  /** An event of the calendar that was known before. */
  catchUpCalendar(item: CalendarEvent): void {
    this.#calendar(null, item);
  }

  /** The stores are caught up: judges what the journal delivered meanwhile. */
  caughtUp(): void {
    const early = this.#early ?? [];
    this.#early = null;
    const { judgedUntil } = this.marks;
    for (const { seq, event } of early) this.#event(seq, event);
    this.#judged.seq = judgedUntil;
  }

  /** Starts to judge an alert now; its firings wait until `commit`. */
  begin(row: AlertRow, warmUp: WarmUp): void {
    this.rows.put(row);
    this.#held.set(row.id, []);
    if (isJudged(row)) this.book.add(judgedSpec(row), warmUp);
    else this.book.remove(row.id);
  }

  /** The alert is stored: what it fired meanwhile is written. */
  commit(id: string): void {
    const held = this.#held.get(id) ?? [];
    this.#held.delete(id);
    for (const fire of held) fire();
  }

  /** Stops judging an alert and forgets it. */
  remove(id: string): void {
    this.book.remove(id);
    this.#held.delete(id);
    this.rows.delete(id);
    this.#waiting.delete(id);
  }

  /** Puts back a row as it was, after a change could not be stored. */
  rollBack(row: AlertRow, warmUp: WarmUp): void {
    this.remove(row.id);
    this.rows.put(row);
    if (isJudged(row)) this.book.add(judgedSpec(row), warmUp);
  }

  /** The current state of an alert, to be stored. */
  progressOf(row: AlertRow): AlertProgress {
    const state = isJudged(row) && this.book.has(row.id) ? this.#stateOf(row.id) : row.state;
    const { id, done, fired, lastFiredAt } = row;
    return { id, state, done, fired, lastFiredAt };
  }

  /** The time of an alert is over. */
  expire(id: string): void {
    const row = this.rows.get(id);
    if (!row) return;
    this.book.remove(id);
    this.rows.put({ ...row, done: true });
  }

  #join(before: number): void {
    for (let row = this.#waiting.take(before); row; row = this.#waiting.take(before))
      this.book.add(judgedSpec(row), this.bars.warmUp(row));
  }

  #stateOf(id: string): string {
    return writeState({ seq: this.#judged.seq, bars: this.book.newestBars(id), book: this.book.stateOf(id) });
  }

  #event(seq: number, event: JournalEvent): void {
    this.#judged.seq = seq;
    if (this.#early && (isSignalEvent(event) || event.kind === 'news')) this.#early.push({ seq, event });
    else if (isSignalEvent(event)) {
      if (event.n > this.#judged.signalN) this.#signal(seq, event);
    } else if (event.kind === 'news') {
      if (!event.revised) this.#headline(seq, event.item, Math.floor(this.#options.now()));
    } else if (event.kind === 'calendar') this.#calendar(seq, event.item);
    else if (!isUnread(event)) this.book.read(seq, event);
  }

  #signal(seq: number | null, event: AnySignalEvent): void {
    this.#judged.signalN = event.n;
    const input = signalInput(event);
    const happening = HAPPENING_OF[event.kind];
    if (!input || happening === null) return;
    this.#cause = { signal: event.signal };
    this.book.read(seq, input);
    for (const row of this.#options.subscriptions.ofSignal(event, happening))
      this.#notify(row, `signal.${happening}`, signalNotice(row, input, seq, this.#specOf(event.symbol)));
    this.#cause = {};
  }

  #calendar(seq: number | null, item: CalendarEvent): void {
    if (item.source !== this.#options.hidden?.calendar) this.book.read(seq, calendarInput(item));
  }

  #headline(seq: number | null, item: NewsDetail, seenAt: number): void {
    // A node that takes over publishes the last headlines again.
    if (this.#judged.hasNews(item.id) || item.source === this.#options.hidden?.news) return;
    const input = headlineInput(item, seenAt);
    this.#cause = { news: item, knownAt: seenAt };
    this.book.read(seq, input);
    for (const row of this.#options.subscriptions.ofNews(item, seenAt))
      this.#notify(row, 'news.published', newsNotice(row, input, seq));
    this.#cause = {};
    // Only now: its firings hold back the marks from before it.
    this.#judged.addNews(item.id, seenAt, Math.floor(this.#options.now()));
  }

  #specOf(symbol: MarketSymbol | null): InstrumentSpec | null {
    return (symbol !== null && this.#specs.get(symbol)) || null;
  }

  #onFire(firing: Firing): void {
    const row = this.rows.get(firing.alert);
    if (!row) return;
    // An alert that was set after the service learned of a record which is caught up only now.
    if (this.#knownAt !== null && row.createdAt > this.#knownAt) return;
    const cause = this.#cause;
    const held = this.#held.get(row.id);
    if (held) held.push(() => this.#fire(firing, cause));
    else this.#fire(firing, cause);
  }

  #fire(firing: Firing, { knownAt, ...cause }: Cause): void {
    const row = this.rows.get(firing.alert);
    if (!row || row.done || !this.#options.isActive(row.account)) return;
    const condition = JSON.parse(row.condition) as AlertCondition;
    const done = row.repeat === 'once';
    // What the book knows about an alert that is done is never needed again.
    const state = done ? null : this.#stateOf(row.id);
    if (done) this.book.remove(row.id);
    const next: AlertRow = { ...row, state, done, fired: row.fired + 1, lastFiredAt: firing.time };
    this.rows.put(next);
    const spec = this.#specOf(firing.symbol);
    this.#write(
      {
        ...{ account: row.account, alert: row.id, cause: firing.cause, condition, note: row.note },
        ...{ symbol: firing.symbol, time: firing.time, price: firing.price, seq: firing.seq },
        title: titleOf(firing, condition, spec),
        firedAt: Math.floor(this.#options.now()),
        knownAt,
      },
      row.deliver,
      {
        type: firing.detail?.kind === 'calendar' ? 'calendar.due' : 'alert.fired',
        // As those of a subscription: an alert is no way around the delay.
        delayed: cause.signal !== undefined,
        ...cause,
      },
      { id: row.id, state, done, fired: next.fired, lastFiredAt: firing.time },
    );
  }

  #notify(row: SubscriptionRow, type: string, fired: Notice): void {
    if (!this.#options.isActive(row.account)) return;
    const firedAt = Math.floor(this.#options.now());
    const { knownAt, ...cause } = this.#cause;
    const complete = { ...fired, account: row.account, alert: row.id, note: null, firedAt, knownAt };
    this.#write(complete, row.deliver, { type, delayed: true, ...cause }, null);
  }

  #write(fired: Fired, deliver: readonly string[], options: MessageOptions, progress: AlertProgress | null): void {
    this.fired++;
    const digits = this.#specOf(fired.symbol)?.digits;
    const complete = { ...options, ...(digits !== undefined && { digits }) };
    this.#options.outbox.write(fired, deliver, complete, progress, this.#judged.before);
  }
}

const UNREAD = ['alert', 'instrument', 'news_cluster', 'perpetual', 'liquidation', 'noop'] as const;
const isUnread = (event: JournalEvent): event is Extract<JournalEvent, { kind: (typeof UNREAD)[number] }> =>
  (UNREAD as readonly string[]).includes(event.kind);

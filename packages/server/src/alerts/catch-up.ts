// What the stores have and the journal did not deliver here: records and headlines of the moments before a crash, and the
// calendar.

import type { SignalEvents } from '../signals/signal-events.ts';
import type { CalendarStore } from '../store/calendar-store.ts';
import type { NewsStore } from '../store/news-store.ts';
import type { AlertJudge } from './alert-judge.ts';

const PAGE = 1_000;

export async function catchUpSignals(signals: SignalEvents, judge: AlertJudge): Promise<void> {
  for (let after = judge.marks.signalN; ; ) {
    const events = await signals.after(after, PAGE);
    for (const event of events) judge.catchUpSignal(event);
    if (events.length < PAGE) return;
    after = events.at(-1)!.n;
  }
}

/** `since`: when the service received the first of them. Those that were judged are left out. */
export async function catchUpNews(store: NewsStore, judge: AlertJudge, since: number): Promise<void> {
  const missed = (await store.newest(PAGE)).filter(({ seenAt }) => seenAt >= since);
  for (const { item, seenAt } of missed.sort((a, b) => a.seenAt - b.seenAt)) judge.catchUpNews(item, seenAt);
}

/** Events from a time on: alerts are due before them. */
export async function readCalendar(store: CalendarStore, judge: AlertJudge, from: number): Promise<void> {
  let position = { time: from, id: '' };
  for (;;) {
    const events = await store.after(position, Number.MAX_SAFE_INTEGER, PAGE);
    for (const event of events) judge.catchUpCalendar(event);
    if (events.length < PAGE) return;
    position = { time: Date.parse(events.at(-1)!.time), id: events.at(-1)!.id };
  }
}

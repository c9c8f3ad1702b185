// AlertStore in SQL that both SQLite and PostgreSQL understand.
import type { AlertMarks, AlertRow, AlertStore, PreferencesRow, SubscriptionRow } from '../alert-store.ts';
import { dropDestination, insertMessages } from './outbox.ts';
import { rows, run, runFor, type SharedWork, type WorkRunner } from './shared-work.ts';
import { put, storedFields } from './stored-fields.ts';
import { insertFirings, pruneFirings, selectFirings } from './stored-firings.ts';
import * as tables from './tables/alert-tables.ts';
import * as market from './tables/market-tables.ts';

const ALERTS = storedFields(tables.ALERTS);
type StoredAlert = Omit<AlertRow, 'deliver' | 'paused' | 'done'> & { deliver: string; paused: number; done: number };

const SUBSCRIPTIONS = storedFields(tables.SUBSCRIPTIONS);
type StoredSubscription = Omit<SubscriptionRow, 'events' | 'mirror' | 'deliver'> & {
  events: string;
  mirror: number;
  deliver: string;
};

const PREFERENCES = storedFields(tables.MESSAGE_PREFERENCES);
const NUMBERS = storedFields(market.NUMBERS);

/** Names of the marks in the table `numbers`. */
const MARKS = {
  judgedUntil: 'alerts_judged_until',
  signalN: 'alerts_signal_n',
  newsAt: 'alerts_news_at',
} as const satisfies Record<Exclude<keyof AlertMarks, 'news'>, string>;
/** Before the id of a judged headline, in the same table. */
const NEWS = 'alerts_news:';

const alertOf = (row: StoredAlert): AlertRow => ({
  ...row,
  deliver: JSON.parse(row.deliver) as string[],
  paused: row.paused === 1,
  done: row.done === 1,
});

const subscriptionOf = (row: StoredSubscription): SubscriptionRow => ({
  ...row,
  events: JSON.parse(row.events) as SubscriptionRow['events'],
  mirror: row.mirror === 1,
  deliver: JSON.parse(row.deliver) as string[],
});

export function createAlertStore({ read, ...runner }: WorkRunner): AlertStore {
  const write = inOrder(runner.write);
  /** Judged headlines as they are stored: most writes do not change them. */
  let storedNews: AlertMarks['news'];
  return {
    alerts: () =>
      read(function* () {
        const found = yield* rows<StoredAlert>(`SELECT ${ALERTS.select} FROM alerts ORDER BY created_at, id`);
        return found.map(alertOf);
      }),
    putAlert: (alert) =>
      write(function* () {
        const { deliver, paused, done } = alert;
        const row = { ...alert, deliver: JSON.stringify(deliver), paused: Number(paused), done: Number(done) };
        yield* put(ALERTS, [row]);
      }),
    describeAlert: (id, { note, deliver }) =>
      write(() => run('UPDATE alerts SET note = $1, deliver = $2 WHERE id = $3', note, JSON.stringify(deliver), id)),
    deleteAlert: (id) => write(() => run('DELETE FROM alerts WHERE id = $1', id)),
    subscriptions: () =>
      read(function* () {
        const found = yield* rows<StoredSubscription>(
          `SELECT ${SUBSCRIPTIONS.select} FROM subscriptions ORDER BY created_at, id`,
        );
        return found.map(subscriptionOf);
      }),
    putSubscription: (subscription) =>
      write(function* () {
        const row = {
          ...subscription,
          events: JSON.stringify(subscription.events),
          mirror: Number(subscription.mirror),
          deliver: JSON.stringify(subscription.deliver),
        };
        yield* put(SUBSCRIPTIONS, [row]);
      }),
    deleteSubscription: (id) => write(() => run('DELETE FROM subscriptions WHERE id = $1', id)),
    preferences: () => read(() => rows<PreferencesRow>(`SELECT ${PREFERENCES.select} FROM message_preferences`)),
    putPreferences: (preferences) => write(() => put(PREFERENCES, [{ ...preferences }])),
    marks: () => read(readMarks),
    async write({ firings, messages, progress, marks }, boundOf) {
      const written = await write(function* () {
        const written = yield* insertFirings(firings, boundOf);
        const ids = new Set(written.firings.map(({ id }) => id));
        yield* insertMessages(messages.filter(({ firing }) => firing === null || ids.has(firing)));
        yield* runFor(
          `UPDATE alerts SET state = r.new_state, done = r.new_done, fired = r.new_fired, last_fired_at = r.new_fired_at
           FROM {records} WHERE id = r.changed`,
          { changed: 'text', new_state: 'text', new_done: 'int', new_fired: 'int', new_fired_at: 'int' },
          progress.map(({ id, state, done, fired, lastFiredAt }) => ({
            changed: id,
            new_state: state,
            new_done: Number(done),
            new_fired: fired,
            new_fired_at: lastFiredAt,
          })),
        );
        yield* put(
          NUMBERS,
          Object.entries(MARKS).map(([mark, name]) => ({ name, value: marks[mark as keyof typeof MARKS] })),
        );
        if (marks.news && marks.news !== storedNews) yield* writeNews(marks.news);
        return written;
      });
      storedNews = marks.news ?? storedNews;
      return written;
    },
    firings: (account, { alert, before, limit }) =>
      read(function* () {
        const values: (string | number)[] = [account];
        let where = 'account = $1';
        if (alert !== undefined) where += ` AND alert = $${values.push(alert)}`;
        if (before !== undefined) where += ` AND n < (SELECT b.n FROM firings b WHERE b.id = $${values.push(before)})`;
        return yield* selectFirings(where, values, limit);
      }),
    firingsSince: (firedAt, limit) =>
      read(function* () {
        return (yield* selectFirings('fired_at >= $1', [firedAt], limit)).reverse();
      }),
    removedFirings: (account) =>
      read(function* () {
        const text = 'SELECT removed FROM firing_totals WHERE account = $1';
        return (yield* rows<{ removed: number }>(text, account))[0]?.removed ?? 0;
      }),
    pruneFirings: (before, atMost) => write(() => pruneFirings(before, atMost)),
    forgetAccount: (account) =>
      write(function* () {
        const owned = yield* rows<{ id: string }>(
          'SELECT id FROM destinations WHERE account = $1 ORDER BY id',
          account,
        );
        for (const { id } of owned) yield* dropDestination(id, account);
        for (const table of OWNED) yield* run(`DELETE FROM ${table} WHERE account = $1`, account);
      }),
  };
}

const OWNED = [
  ...['alerts', 'subscriptions', 'firings', 'alert_versions', 'firing_totals', 'messages', 'message_preferences'],
] as const;

/** One transaction after another: of two that write one alert, the later one must win. */
function inOrder(write: WorkRunner['write']): WorkRunner['write'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(() => write(work));
    last = next.catch(() => {});
    return next;
  };
}

function* writeNews(news: ReadonlyMap<string, number>): SharedWork<void> {
  yield* put(
    NUMBERS,
    [...news].map(([id, at]) => ({ name: NEWS + id, value: at })),
  );
  const oldest = Math.min(...news.values());
  yield* run(`DELETE FROM numbers WHERE name LIKE '${NEWS}%' AND value < $1`, oldest);
}

function* readMarks(): SharedWork<AlertMarks | null> {
  const found = yield* rows<{ name: string; value: number }>(
    "SELECT name, value FROM numbers WHERE name LIKE 'alerts_%'",
  );
  const values = new Map(found.map(({ name, value }) => [name, value]));
  const judgedUntil = values.get(MARKS.judgedUntil);
  if (judgedUntil === undefined) return null;
  const judged = found.filter(({ name }) => name.startsWith(NEWS));
  const news = new Map(judged.map(({ name, value }) => [name.slice(NEWS.length), value]));
  return {
    judgedUntil,
    signalN: values.get(MARKS.signalN) ?? 0,
    newsAt: values.get(MARKS.newsAt) ?? 0,
    ...(news.size > 0 && { news }),
  };
}

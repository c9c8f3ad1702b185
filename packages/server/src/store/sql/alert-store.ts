// AlertStore in SQL that both SQLite and PostgreSQL understand.
import type { AlertMarks, AlertRow, AlertStore, FiringRow, PreferencesRow, SubscriptionRow } from '../alert-store.ts';
import { dropDestination, insertMessages } from './outbox.ts';
import { forRecords, rows, run, type SharedWork, type WorkRunner } from './shared-work.ts';
import { storedFields } from './stored-fields.ts';

const ALERTS = storedFields('alerts', {
  id: 'text',
  account: 'text',
  symbol: 'text',
  condition: 'text',
  repeat: 'text',
  interval: 'text',
  cooldownMs: 'bigint',
  expiresAt: 'bigint',
  note: 'text',
  deliver: 'text',
  createdAt: 'bigint',
  sinceSeq: 'bigint',
  sinceTime: 'bigint',
  paused: 'bigint',
  done: 'bigint',
  fired: 'bigint',
  lastFiredAt: 'bigint',
  state: 'text',
});
type StoredAlert = Omit<AlertRow, 'deliver' | 'paused' | 'done'> & { deliver: string; paused: number; done: number };

const SUBSCRIPTIONS = storedFields('subscriptions', {
  id: 'text',
  account: 'text',
  publisher: 'text',
  symbol: 'text',
  category: 'text',
  events: 'text',
  mirror: 'bigint',
  deliver: 'text',
  createdAt: 'bigint',
  sinceN: 'bigint',
});
type StoredSubscription = Omit<SubscriptionRow, 'events' | 'mirror' | 'deliver'> & {
  events: string;
  mirror: number;
  deliver: string;
};

const FIRINGS = storedFields('firings', {
  id: 'text',
  account: 'text',
  alert: 'text',
  cause: 'text',
  time: 'bigint',
  firedAt: 'bigint',
  seq: 'bigint',
  price: 'float8',
  body: 'text',
});

const PREFERENCES = storedFields('message_preferences', {
  account: 'text',
  timeZone: 'text',
  numberFormat: 'text',
});

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
        yield* forRecords(`${ALERTS.insert} ON CONFLICT (id) DO UPDATE SET ${ALERTS.replace}`, ALERTS.columns, [row]);
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
        const text = `${SUBSCRIPTIONS.insert} ON CONFLICT (id) DO UPDATE SET ${SUBSCRIPTIONS.replace}`;
        yield* forRecords(text, SUBSCRIPTIONS.columns, [row]);
      }),
    deleteSubscription: (id) => write(() => run('DELETE FROM subscriptions WHERE id = $1', id)),
    preferences: () =>
      read(function* () {
        return [...(yield* rows<PreferencesRow>(`SELECT ${PREFERENCES.select} FROM message_preferences`))];
      }),
    putPreferences: (preferences) =>
      write(function* () {
        const text = `${PREFERENCES.insert} ON CONFLICT (account) DO UPDATE SET ${PREFERENCES.replace}`;
        yield* forRecords(text, PREFERENCES.columns, [{ ...preferences }]);
      }),
    marks: () => read(readMarks),
    async write({ firings, messages, progress, marks }) {
      const written = await write(function* () {
        const inserted = yield* forRecords<{ id: string }, keyof typeof FIRINGS.columns>(
          `${FIRINGS.insert} ON CONFLICT (alert, cause) DO NOTHING RETURNING id`,
          FIRINGS.columns,
          firings.map((firing) => ({ ...firing })),
        );
        const written = new Set(inserted.map(({ id }) => id));
        yield* insertMessages(messages.filter(({ firing }) => firing === null || written.has(firing)));
        yield* forRecords(
          `UPDATE alerts SET state = r.new_state, done = r.new_done, fired = r.new_fired, last_fired_at = r.new_fired_at
           FROM {records} WHERE id = r.changed`,
          { changed: 'text', new_state: 'text', new_done: 'bigint', new_fired: 'bigint', new_fired_at: 'bigint' },
          progress.map(({ id, state, done, fired, lastFiredAt }) => ({
            changed: id,
            new_state: state,
            new_done: Number(done),
            new_fired: fired,
            new_fired_at: lastFiredAt,
          })),
        );
        yield* forRecords(
          `INSERT INTO numbers (name, value) SELECT r.name, r.value FROM {records} WHERE true
           ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
          { name: 'text', value: 'float8' },
          Object.entries(MARKS).map(([mark, name]) => ({ name, value: marks[mark as keyof typeof MARKS] })),
        );
        if (marks.news && marks.news !== storedNews) yield* writeNews(marks.news);
        return firings.filter(({ id }) => written.has(id));
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
        const last = `ORDER BY n DESC LIMIT $${values.push(limit)}`;
        return [...(yield* rows<FiringRow>(`SELECT ${FIRINGS.select} FROM firings WHERE ${where} ${last}`, ...values))];
      }),
    firingsSince: (firedAt, limit) =>
      read(function* () {
        const text = `SELECT ${FIRINGS.select} FROM firings WHERE fired_at >= $1 ORDER BY n DESC LIMIT $2`;
        return [...(yield* rows<FiringRow>(text, firedAt, limit))].reverse();
      }),
    pruneFirings: (before) =>
      write(function* () {
        return (yield* rows('DELETE FROM firings WHERE fired_at < $1 RETURNING n', before)).length;
      }),
    forgetAccount: (account) =>
      write(function* () {
        const owned = yield* rows<{ id: string }>(
          'SELECT id FROM destinations WHERE account = $1 ORDER BY id',
          account,
        );
        for (const { id } of owned) yield* dropDestination(id, account);
        for (const table of ['alerts', 'subscriptions', 'firings', 'messages', 'message_preferences'])
          yield* run(`DELETE FROM ${table} WHERE account = $1`, account);
      }),
  };
}

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
  yield* forRecords(
    `INSERT INTO numbers (name, value) SELECT r.name, r.value FROM {records} WHERE true
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    { name: 'text', value: 'float8' },
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

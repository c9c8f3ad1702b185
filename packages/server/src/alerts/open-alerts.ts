// Creates all parts that deal with alerts and resumes where an earlier run stopped: alerts with their states, and how far the
// signal log and the news were judged.
import { FIRING_BYTES_PER_ALERT, FIRINGS_PER_ALERT } from '@tickwire/contract';
import { bySymbol, DAY_MS, type EngineEvent, HOUR_MS, type InstrumentSpec, type MarketSymbol } from '@tickwire/engine';
import type { AccountState } from '../access/account-state.ts';
import type { MessageLocale } from '../delivery/channel.ts';
import { type Delivery, PRUNE_PAUSE_MS, PRUNED_AT_ONCE } from '../delivery/open-delivery.ts';
import type { TelegramLinker } from '../delivery/telegram-link.ts';
import type { Journal } from '../journal/journal.ts';
import type { BarSource } from '../market/bar-source.ts';
import type { MarketView } from '../market/market-view.ts';
import type { Log } from '../ops/log.ts';
import type { Timers } from '../ops/timers.ts';
import type { SignalEvents } from '../signals/signal-events.ts';
import type { FiringRow } from '../store/alert-store.ts';
import type { Store } from '../store/store.ts';
import { AccountPreferences } from './account-preferences.ts';
import { AccountWatch } from './account-watch.ts';
import { stateOf } from './alert-json.ts';
import { AlertJudge } from './alert-judge.ts';
import { isJudged } from './alert-rows.ts';
import { AlertService } from './alert-service.ts';
import { catchUpNews, catchUpSignals, readCalendar } from './catch-up.ts';
import { CodeLimits } from './code-limits.ts';
import { DeliveryAllowance } from './delivery-allowance.ts';
import { DeliveryLog } from './delivery-log.ts';
import { DestinationService } from './destination-service.ts';
import { FiringLimit } from './firing-limit.ts';
import { readFiring } from './firing-messages.ts';
import { type BuiltFiring, FiringWriter } from './firing-writer.ts';
import { NEWS_OVERLAP_MS } from './judged-so-far.ts';
import { Outbox } from './outbox.ts';
import { StateSaver } from './state-saver.ts';
import { SubscriptionList } from './subscription-list.ts';
import { SubscriptionService } from './subscription-service.ts';

const SAVE_MS = 1_000;
const ACCOUNTS_MS = 2_000;
const PRUNE_MS = HOUR_MS;
const FIRING_DAYS = 90;
/** Alerts that are over are kept so long. */
const OVER_DAYS = 30;
/** Events that are somewhat older than an alert may arrive after it. */
const IN_FLIGHT_MS = 1_000;

export interface OpenAlertsOptions {
  readonly store: Store;
  readonly instruments: readonly InstrumentSpec[];
  readonly journal: Journal;
  /** Resolves when the journal has everything so far for good. Default: it always has. */
  readonly published?: () => Promise<void>;
  readonly market: MarketView;
  readonly bars: BarSource;
  readonly delivery: Delivery;
  readonly accountOf: (publicId: string) => AccountState | undefined;
  /** Public ids of the accounts that were deleted. */
  readonly deletedAccounts: () => readonly string[];
  readonly nameOf: (publisher: string) => string | undefined;
  /** Id of a publisher by name or id. */
  readonly publisherOf: (name: string) => string | undefined;
  /** Address that ends the messages to a destination; undefined without a known address of the service. */
  readonly unsubscribeUrl: (destination: string) => string | undefined;
  /** Sources of news and of the calendar whose items are hidden. */
  readonly hidden: { readonly news: string | null; readonly calendar: string | null };
  /** In a replay, time is that of the recording. */
  readonly isReplay: boolean;
  readonly now: () => number;
  readonly log: Log;
}

export interface Alerts {
  readonly judge: AlertJudge;
  readonly writer: FiringWriter;
  readonly service: AlertService;
  readonly subscriptions: SubscriptionService;
  readonly destinations: DestinationService;
  readonly deliveries: DeliveryLog;
  readonly preferences: AccountPreferences;
  readonly delivery: Delivery;
  /** Links Telegram chats as destinations. */
  readonly linkTelegram: TelegramLinker;
  /** Active alerts and subscriptions of all accounts. */
  active(): { readonly alerts: number; readonly subscriptions: number };
  /** Judges an event of the tape again. */
  replay(seq: number, event: EngineEvent): void;
  /** Call after the last event of the tape. */
  restored(): void;
  /** Call when the feeds have caught up and the journal is live. */
  live(signals: SignalEvents): Promise<void>;
  start(timers: Timers): void;
  /** Nothing is judged any more: stores what is left. */
  stop(): Promise<void>;
}

export async function openAlerts(options: OpenAlertsOptions): Promise<Alerts> {
  const { store, instruments, journal, market, bars, delivery, accountOf, nameOf, publisherOf, now, log } = options;
  const wake = (): void => delivery.wake();
  const list = new SubscriptionList();
  const allowance = new DeliveryAllowance(now);
  allowance.restore(await store.delivery.writtenSince(Math.floor(now() / DAY_MS) * DAY_MS));
  const preferences = new AccountPreferences(store.alerts, await store.alerts.preferences());
  const localeOf = (account: string): MessageLocale => preferences.localeOf(account);
  const outbox = new Outbox({
    writer: () => writer,
    allowance,
    limit: new FiringLimit(now),
    accountOf,
    recipientOf: (id, account) => {
      const unsubscribe = options.unsubscribeUrl(id);
      return { id, locale: localeOf(account), ...(unsubscribe !== undefined && { unsubscribe }) };
    },
  });
  const judge = new AlertJudge({
    instruments,
    subscriptions: list,
    outbox,
    isActive: (account) => accountOf(account)?.disabled === false,
    hidden: options.hidden,
    now,
  });
  const announce = (written: readonly FiringRow[], repeated: readonly BuiltFiring[]): void => {
    for (const { row, messages } of repeated) {
      judge.rows.uncount(row.alert);
      allowance.giveBack(row.account, messages.length);
    }
    journal.append(written.map((row) => ({ kind: 'alert', account: row.account, firing: readFiring(row) })));
    wake();
  };
  const writer = new FiringWriter({
    store: store.alerts,
    ...(options.published && { published: options.published }),
    marks: () => judge.marks,
    boundOf: (account) => {
      // Of an account that is not known, the least.
      const alerts = Math.max(1, accountOf(account)?.tier.alerts ?? 1);
      return { firings: alerts * FIRINGS_PER_ALERT, bytes: alerts * FIRING_BYTES_PER_ALERT };
    },
    onWritten: announce,
    log,
  });

  const marks = await store.alerts.marks();
  if (marks) judge.restoreMarks(marks);
  const rows = await store.alerts.alerts();
  for (const row of rows) judge.restore(row);
  const known = new Set<MarketSymbol | null>([null, ...instruments.map(({ symbol }) => symbol)]);
  await judge.bars.load(
    bars,
    rows.filter((row) => isJudged(row) && known.has(row.symbol)),
  );
  const unknown = rows.filter((row) => isJudged(row) && !known.has(row.symbol));
  if (unknown.length > 0)
    log.warn('alerts on instruments that are not configured are not judged', {
      alerts: unknown.length,
      symbols: [...new Set(unknown.map(({ symbol }) => symbol))].join(', '),
    });
  for (const row of await store.alerts.subscriptions()) list.add(row);
  await readCalendar(store.calendar, judge, now() - DAY_MS);
  // The others get their prices from the states of their alerts, and from the tape: these are from the right moment.
  const watched = new Set(rows.filter((row) => isJudged(row) && row.state !== null).map(({ symbol }) => symbol));
  for (const { symbol, quote, trade } of await store.market.lastPrices())
    if (!watched.has(symbol) && (quote || trade))
      judge.book.seed(symbol, {
        ...(quote && { bid: quote.bid, ask: quote.ask }),
        ...(trade && { trade: trade.price }),
        time: (quote ?? trade)!.time,
      });

  const codes = new CodeLimits(now);
  codes.restore(await store.delivery.codesSince(Math.floor(now()) - DAY_MS));
  const destinations = new DestinationService({
    store: store.delivery,
    box: delivery.box,
    channels: delivery,
    codes,
    unsubscribeUrl: options.unsubscribeUrl,
    linkFor: (code) => delivery.bot?.linkFor(code) ?? null,
    onDeleted: (account, id) => {
      judge.rows.withoutDestination(account, id);
      list.withoutDestination(account, id);
    },
    wake,
    now,
  });
  const activeOf = (account: string): number => {
    const time = now();
    return judge.rows.of(account).filter((row) => stateOf(row, time) === 'active').length + list.of(account).length;
  };
  const publisherId = (name: string): string | undefined =>
    publisherOf(name) ?? (nameOf(name) === undefined ? undefined : name);
  const service = new AlertService({
    store: store.alerts,
    delivery: store.delivery,
    judge,
    writer,
    destinations,
    activeOf,
    specs: bySymbol(instruments),
    resolve: (code) => market.resolve(code),
    hasTrades: (symbol) => market.flow(symbol) !== null,
    hasPublisher: (name) => publisherId(name) !== undefined,
    warmUp: { view: market, bars },
    position: (symbol) => ({ seq: journal.lastSeq, time: startTime(options, symbol) }),
    unsubscribeUrl: options.unsubscribeUrl,
    localeOf,
    takeMessage: (account) => {
      const state = accountOf(account);
      return state ? allowance.take(account, { limit: state.tier.deliveries_per_day, tier: state.tierName }) : null;
    },
    wake,
    now,
  });
  let newestRecord = (): number => judge.marks.signalN;
  const subscriptions = new SubscriptionService({
    store: store.alerts,
    list,
    alerts: service,
    destinations,
    newestRecord: () => newestRecord(),
    publisherId,
    nameOf,
    now,
  });
  const deliveries = new DeliveryLog({ store: store.delivery, destinations, allowance, wake, now });

  const { deletedAccounts } = options;
  const accounts = new AccountWatch({
    ...{ store: store.alerts, judge, writer, subscriptions: list, preferences, accountOf, deletedAccounts, log },
  });

  const saver = new StateSaver({ judge, writer, now });

  return {
    judge,
    writer,
    service,
    subscriptions,
    destinations,
    deliveries,
    preferences,
    delivery,
    linkTelegram: async (code, chat) =>
      (await destinations.link(code, chat)) ? 'This chat is linked: Tickwire will send your alerts here.' : null,
    active: () => ({ alerts: judge.book.size, subscriptions: list.size }),
    replay: (seq, event) => judge.replay(seq, event),
    restored: () => judge.restored(),
    async live(signals) {
      newestRecord = () => signals.newest;
      if (!marks) judge.restoreMarks({ ...judge.marks, signalN: signals.newest, newsAt: Math.floor(now()) });
      else await catchUpSignals(signals, judge);
      await catchUpNews(store.news, judge, judge.marks.newsAt - NEWS_OVERLAP_MS);
      judge.caughtUp();
    },
    start(timers) {
      timers.every(SAVE_MS, 'storing states of alerts', () => saver.run());
      timers.every(ACCOUNTS_MS, 'checking accounts with alerts', () => accounts.run());
      timers.every(PRUNE_MS, 'deleting alerts that are over', () => service.prune(now() - OVER_DAYS * DAY_MS));
      timers.every(PRUNE_MS, 'deleting old firings', async () => {
        const before = Math.floor(now()) - FIRING_DAYS * DAY_MS;
        while ((await store.alerts.pruneFirings(before, PRUNED_AT_ONCE)) === PRUNED_AT_ONCE)
          await Bun.sleep(PRUNE_PAUSE_MS);
      });
    },
    async stop() {
      await writer.drain();
      await saver.saveAll().catch((error) => log.error('states of alerts could not be stored', { error }));
      await writer.stop();
    },
  };
}

/** Events of a symbol with an earlier time never fire a new alert. */
function startTime({ isReplay, market, now }: OpenAlertsOptions, symbol: MarketSymbol | null): number {
  const newest = symbol === null ? 0 : Math.max(market.tick(symbol)?.time ?? 0, market.flow(symbol)?.time ?? 0);
  if (isReplay) return newest;
  return Math.min(Math.floor(now()), Math.max(newest, Math.floor(now()) - IN_FLIGHT_MS));
}

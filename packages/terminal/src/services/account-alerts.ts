// The alerts of the account and their firings, live, shared by the chart, the alerts page and the messages about firings.
import type { Alert, AlertCondition, MessageOf } from '@tickwire/client';
import { LiveList, type LiveListServices } from './live-list.ts';

export type FiredAlert = MessageOf<'alerts'>;

/** A change without a firing means that the list has changed, was loaded, or could not be loaded. */
export interface AlertsChange {
  readonly firing?: FiredAlert;
}

/** A level of an alert on the chart. */
export interface AlertLevel {
  readonly alert: Alert;
  readonly price: number;
}

export interface AccountAlertsServices extends LiveListServices<'alerts'> {
  /** An API key may have too few streams. Without one, the list is only loaded. */
  readonly mayStream: () => boolean;
}

/** Deleted ids remembered, so that a response that is older does not bring one back. */
const MOST_DELETED = 500;

export class AccountAlerts extends LiveList<AlertsChange, readonly Alert[]> {
  #alerts: readonly Alert[] = [];
  readonly #deleted = new Set<string>();

  constructor({ client, streams, notifier, mayStream }: AccountAlertsServices) {
    super({
      open: (signal) => {
        this.#alerts = [];
        if (!mayStream()) return;
        const onMessage = (message: FiredAlert): void => this.#receive(message);
        streams.open('alerts', {}, { onMessage, onGap: () => this.reload() }, signal);
      },
      load: async (signal) => (await client.alerts({}, { signal })).items,
      // What this page changed meanwhile is newer than the response.
      apply: (items, isRecent) => {
        const recent = new Map(this.#alerts.filter(isRecent).map((alert) => [alert.id, alert]));
        const known = items.filter(({ id }) => !recent.has(id) && !this.#deleted.has(id));
        this.#alerts = [...recent.values(), ...known].sort(newestFirst);
      },
      onError: (error) => notifier.reportError(error, 'Alerts'),
    });
  }

  /** Newest first. */
  get alerts(): readonly Alert[] {
    return this.#alerts;
  }

  /** The levels of the active alerts of an instrument. */
  levelsOf(symbol: string): readonly AlertLevel[] {
    return this.#alerts
      .filter((alert) => alert.symbol === symbol && alert.state === 'active')
      .flatMap((alert) => {
        const price = levelOf(alert.condition);
        return price === null ? [] : [{ alert, price }];
      });
  }

  /** Created or changed by this page. */
  put(alert: Alert): void {
    this.#alerts = [alert, ...this.#alerts.filter(({ id }) => id !== alert.id)].sort(newestFirst);
    this.received(alert.id, {});
  }

  /** Deleted by this page. */
  remove(id: string): void {
    this.#deleted.add(id);
    if (this.#deleted.size > MOST_DELETED) this.#deleted.delete(this.#deleted.values().next().value!);
    this.#alerts = this.#alerts.filter((alert) => alert.id !== id);
    this.received(id, {});
  }

  #receive(firing: FiredAlert): void {
    this.#alerts = this.#alerts.map((alert) =>
      alert.id !== firing.alert_id
        ? alert
        : {
            ...alert,
            fired: alert.fired + 1,
            last_fired_at: firing.time,
            state: alert.repeat === 'once' ? 'done' : alert.state,
          },
    );
    this.received(firing.alert_id, { firing });
  }
}

const newestFirst = (one: Alert, other: Alert): number =>
  one.created_at < other.created_at ? 1 : one.created_at > other.created_at ? -1 : 0;

/** An alert from the chart goes where the newest alert that leaves the terminal goes. */
export function usualDestinations(alerts: readonly Alert[]): { destination: string }[] {
  const outside = alerts
    .map(({ deliver }) => deliver.flatMap(({ destination }) => (destination === null ? [] : [{ destination }])))
    .find((deliver) => deliver.length > 0);
  return outside ?? [];
}

/** The price level of a condition; `null` if it has none. */
export function levelOf(condition: AlertCondition): number | null {
  if (condition.type === 'all') return condition.of.map(levelOf).find((level) => level !== null) ?? null;
  return condition.type === 'price' || condition.type === 'bar_close' ? condition.level : null;
}

/** The condition with its level moved, such as by dragging its line on the chart. */
export function withLevel<C extends AlertCondition>(condition: C, level: number): C {
  if (condition.type === 'all') {
    const first = condition.of.findIndex((each) => levelOf(each) !== null);
    return { ...condition, of: condition.of.map((each, at) => (at === first ? withLevel(each, level) : each)) };
  }
  return levelOf(condition) === null ? condition : { ...condition, level };
}

// Alerts, subscriptions to publishers and news, destinations and deliveries. All of it runs on the ingest node.
import type { MarketSymbol } from '@tickwire/engine';
import type { WriterRoute } from '../http/handler.ts';
import type { IdempotentSecrets } from '../http/idempotent-secrets.ts';
import type { Module } from '../module/module.ts';
import type { AlertStore } from '../store/alert-store.ts';
import { ALERT_ENDPOINT_NAMES, alertHandlers } from './alert-handlers.ts';
import type { Alerts } from './open-alerts.ts';
import { ALERT_CHANNEL } from './streams/alert-channel.ts';

export interface AlertsModuleOptions {
  /** `null` on a gateway node. */
  readonly writer: Alerts | null;
  readonly store: AlertStore;
  readonly resolve: (code: string) => MarketSymbol | undefined;
  readonly secrets: IdempotentSecrets;
}

export function alertsModule({ writer, store, resolve, secrets }: AlertsModuleOptions): Module {
  const handlers = writer && alertHandlers({ alerts: writer, store, resolve, secrets });
  return {
    routes: Object.fromEntries(
      ALERT_ENDPOINT_NAMES.map((name): [string, WriterRoute] => [name, { writer: handlers?.[name] ?? null }]),
    ),
    channels: () => [ALERT_CHANNEL],
    readers: writer ? [{ phase: 'alerts', read: writer.judge.read }] : [],
    metrics(metrics) {
      if (!writer) return;
      const { judge, writer: firings, active } = writer;
      metrics.gauge('tickwire_alerts', 'Alerts that are judged', () => active().alerts);
      metrics.gauge('tickwire_subscriptions', 'Subscriptions of accounts', () => active().subscriptions);
      metrics.counter(
        'tickwire_alert_firings_total',
        'Firings of alerts and subscriptions stored',
        () => firings.written,
      );
      metrics.counter(
        'tickwire_alert_firings_dropped_total',
        'Firings dropped because too many waited for the store',
        () => firings.dropped,
      );
      metrics.counter(
        'tickwire_alert_firings_removed_total',
        'Oldest firings removed because their account had too many',
        () => firings.removed,
      );
      metrics.gauge('tickwire_alert_firings_waiting', 'Firings that wait for the store', () => firings.waiting);
      metrics.counter(
        'tickwire_alert_judging_seconds_total',
        'Time spent on judging alerts',
        () => judge.judgingMs / 1_000,
      );
    },
    start: (timers) => writer?.start(timers),
    drain: async () => writer?.stop(),
  };
}

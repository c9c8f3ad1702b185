// Messages to destinations. The delivery worker is stopped separately: on an ingest node after another node has taken over.
import type { Module } from '../module/module.ts';
import type { Delivery } from './open-delivery.ts';

export function deliveryModule(delivery: Delivery): Module {
  return {
    start: (timers) => delivery.start(timers),
    metrics(metrics) {
      const { attempts } = delivery.worker;
      metrics.gauge('tickwire_messages_waiting', 'Messages waiting for delivery', () => delivery.counts.waiting);
      metrics.gauge('tickwire_messages_dead', 'Messages that were given up', () => delivery.counts.dead);
      metrics.gauge(
        'tickwire_delivery_overdue_seconds',
        'How long the oldest message that is due waits for a worker',
        () => delivery.counts.overdueMs / 1_000,
      );
      metrics.gauge('tickwire_delivery_active', 'Destinations being sent to', () => delivery.worker.active);
      metrics.counter('tickwire_delivery_attempts_total', 'Attempts to deliver a message, by channel and result', () =>
        [...attempts.counts].map(([key, count]) => {
          const [channel = '', result = ''] = key.split(' ');
          return [{ channel, result }, count] as const;
        }),
      );
      metrics.histogram(
        'tickwire_delivery_seconds',
        'Time from when a message was due to its delivery',
        attempts.latency,
      );
    },
  };
}

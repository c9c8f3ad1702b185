// The limits of an account in words.
import type { Account } from '@tickwire/client';
import { figure } from '../ui/format.ts';

export function limitFacts(limits: Account['tier_limits']): [name: string, text: string][] {
  const delay = limits.delivery_delay_seconds;
  return [
    ['Requests', `${figure(limits.requests_per_minute)} per minute`],
    ['Open streams', figure(limits.streams)],
    [
      'Signals',
      `${figure(limits.signals_per_day)} per day, ${figure(limits.active_signals_per_symbol)} active per instrument`,
    ],
    ['Active alerts and subscriptions', figure(limits.alerts)],
    ['Messages', `${figure(limits.deliveries_per_day)} per day${delay > 0 ? `, subscriptions ${delay} s late` : ''}`],
    ['Live indicators, footprints', figure(limits.live_indicators)],
    ['AI calls', `${figure(limits.ai_calls_per_day)} per day`],
    [
      'Replays',
      `${figure(limits.replays)} of up to ${figure(limits.replay_symbols)} instruments, ${figure(limits.replay_events_per_minute)} events per minute`,
    ],
    ['Chat channels', figure(limits.chat_channels)],
    ['Exported rows', `${figure(limits.export_rows_per_day)} per day`],
  ];
}

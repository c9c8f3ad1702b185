// The tables of a realm, referenced ones first. Without the tape, which SQLite keeps in separate files.
import * as alerts from './alert-tables.ts';
import * as chat from './chat-tables.ts';
import * as market from './market-tables.ts';
import * as signals from './signal-tables.ts';
import type { Table } from './table.ts';

export const REALM_TABLES: readonly Table[] = [
  ...[market.BARS, market.HISTOGRAMS, market.LAST_PRICES, market.WATCHED, market.FETCHED, market.NUMBERS],
  ...[market.IMPORTED_DAYS, market.ADDED_INSTRUMENTS],
  ...[signals.SIGNAL_LOG, signals.SIGNALS, signals.SIGNAL_RECORDS, signals.SIGNAL_KEYS, signals.SIGNAL_GAPS],
  ...[signals.SIGNAL_DAYS, signals.SIGNAL_HEADS, signals.SIGNAL_HEAD_TOKENS],
  ...[market.NEWS, market.NEWS_REPLACED, market.NEWS_LISTED, market.NEWS_MOVES],
  ...[market.CALENDAR, market.CALENDAR_REVISIONS],
  ...[alerts.ALERTS, alerts.SUBSCRIPTIONS, alerts.ALERT_VERSIONS, alerts.FIRINGS, alerts.FIRING_TOTALS],
  ...[alerts.DESTINATIONS, alerts.DESTINATION_QUEUES, alerts.MESSAGES, alerts.MESSAGE_PREFERENCES],
  ...[chat.CHAT_CHANNELS, chat.CHAT_MESSAGES, chat.CHAT_EDITS],
];

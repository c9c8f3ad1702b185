// The channel of alerts: the firings of an account. Those of all accounts share the ring for clients that resume.
import type { AlertEvent } from '../../journal/journal.ts';
import type { ItemChannel } from '../../ws/channel.ts';

export const ALERT_CHANNEL: ItemChannel<AlertEvent> = {
  name: 'alerts',
  event: 'alert',
  capacity: 8_192,
  fill: () => '/api/alerts/firings?limit=200',
  isFor: ({ account }, { caller }) => caller?.account.publicId === account,
  symbolsOf: ({ firing: { symbol } }) => (symbol === null ? [] : [symbol]),
  bodyOf: ({ firing: { seq, ...firing } }) => JSON.stringify({ ...firing, event_seq: seq }).slice(0, -1),
};

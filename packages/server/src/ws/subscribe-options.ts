// The options of `subscribe` and `unsubscribe`: whether they fit together and fit the channel, and what a client may not expect.
import type { Channel, ChannelRequest } from '@tickwire/contract';
import type { Subscribe, SubscriptionNotice, Unsubscribe } from './channel.ts';
import type { Channels } from './channels.ts';
import type { Subscriber } from './subscriber.ts';
import { sharedRate } from './throttle.ts';

/** Endpoints whose times are whole seconds. */
const WITH_MS: readonly Channel[] = ['market', 'orderflow', 'perpetual'];

type Warnings = NonNullable<SubscriptionNotice['warnings']>;

/** A request on `/ws` as its subscriber performs it: on the endpoint of a channel, only bars and footprints are named. */
export function withoutChannel<R extends Extract<ChannelRequest, { channel: unknown }>>(request: R) {
  const { channel, ...rest } = request;
  return channel === 'bars' || channel === 'footprint' ? { ...rest, channel } : rest;
}

/** What is wrong with the bars options; `null` if nothing is. */
export function invalidBars({ channel }: Pick<Subscriber, 'channel'>, message: Subscribe | Unsubscribe): string | null {
  if (message.channel === 'bars' && channel !== 'market') return 'channel: bars are available on /ws/market only.';
  if (message.channel === 'footprint' && channel !== 'orderflow')
    return 'channel: footprint is available on /ws/orderflow only.';
  return !message.channel && message.timeframe
    ? 'timeframe: only valid with "channel":"bars" or "channel":"footprint".'
    : null;
}

/** Why the options do not fit together or do not fit the channel; `null` if they do. */
export function invalidOptions(
  channels: Channels,
  subscriber: Pick<Subscriber, 'channel'>,
  message: Subscribe,
): string | null {
  const isComplete = channels.isComplete(subscriber);
  const { symbols, timeframe, resume_from, max_rate, delivery } = message;
  if (!symbols && !isComplete) return 'symbols: required; name one or more instruments, or "*".';
  const invalid = invalidBars(subscriber, message);
  if (invalid) return invalid;
  if (message.indicators && message.channel !== 'bars') return 'indicators: only valid with "channel":"bars".';
  if (message.channel && timeframe === undefined) return `timeframe: required for ${message.channel}.`;
  const own = channels.of(message.channel ?? subscriber.channel).invalid?.(message);
  if (own) return own;
  if (max_rate !== undefined && resume_from) return 'resume_from: cannot be combined with max_rate.';
  const conflates = max_rate !== undefined || delivery === 'latest';
  return conflates && isComplete
    ? 'delivery, max_rate: not available for perpetual, signals, news and alerts, which are always sent in full.'
    : null;
}

/** What the client may not expect: options that were ignored, and a rate that was rounded. Usually nothing. */
export function remarks(
  { channel, name }: Subscriber,
  { max_rate, ...message }: Subscribe,
  unknown: readonly string[],
): Pick<SubscriptionNotice, 'warnings' | 'max_rate'> {
  const warnings = unknown.map(unknownOption);
  const onSignals = name === null ? 'on /ws/signals' : 'on the channel signals';
  for (const option of ['closes', 'fills', 'changes'] as const)
    if (message[option] && channel !== 'signals')
      warnings.push({ option, message: `Only available ${onSignals}; it was ignored.` });
  if (message.ms && !WITH_MS.includes(channel))
    warnings.push({ option: 'ms', message: 'Times of this channel have milliseconds; it was ignored.' });
  const rate = max_rate === undefined ? undefined : sharedRate(max_rate);
  return {
    ...warningsOf(warnings),
    ...(rate !== undefined && rate !== max_rate && { max_rate: rate }),
  };
}

export const unknownOption = (option: string): Warnings[number] => ({
  option,
  message: 'Unknown option; it was ignored.',
});

export const warningsOf = (warnings: Warnings): { warnings?: Warnings } => (warnings.length > 0 ? { warnings } : {});

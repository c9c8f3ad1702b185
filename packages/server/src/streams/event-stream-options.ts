// The query of `/sse` as subscriptions, one for each channel. An option applies to the channels that have it; if none of the
// requested channels has it, the request is rejected, because nothing could say so later.
import type { EventStreamQuery, StreamChannel } from '@tickwire/contract';
import { ServiceError, symbolNotFound } from '../errors/service-error.ts';
import type { Subscribe } from '../ws/channel.ts';

export interface EventSubscription {
  readonly channel: StreamChannel;
  readonly message: Subscribe;
}

type Option = Exclude<keyof EventStreamQuery, 'channels' | 'symbols'>;

const CHANNELS_WITH: Readonly<Record<Option, readonly StreamChannel[]>> = {
  timeframe: ['bars', 'footprint'],
  indicators: ['bars'],
  closes: ['signals'],
  fills: ['signals'],
  changes: ['signals'],
  ms: ['market', 'bars', 'orderflow', 'perpetual'],
  max_rate: ['market', 'bars', 'orderflow', 'footprint'],
  delivery: ['market', 'orderflow'],
};

/** What is wrong with the options of a channel; `null` if nothing is. */
type InvalidOptions = (channel: StreamChannel, message: Subscribe) => string | null;

/** Throws a 400 if the options are invalid, and a 404 for an unknown symbol. */
export function eventSubscriptions(
  query: EventStreamQuery,
  isSymbol: (code: string) => boolean,
  invalidOptions: InvalidOptions,
): EventSubscription[] {
  const { channels, symbols } = query;
  const invalid = (parameter: string, allowed: string): ServiceError => {
    const value = query[parameter as keyof EventStreamQuery];
    const errors = [{ parameter, value: value === undefined ? null : String(value), allowed }];
    return new ServiceError('invalid_parameter', `${parameter}: ${allowed}`, { errors });
  };
  const given = (Object.keys(CHANNELS_WITH) as Option[]).filter((option) => isGiven(query[option]));
  for (const option of given)
    if (!channels.some((channel) => CHANNELS_WITH[option].includes(channel)))
      throw invalid(option, `only valid with the channel ${CHANNELS_WITH[option].join(' or ')}`);
  const subscriptions = [...new Set(channels)].map((channel): EventSubscription => {
    const own = given.filter((option) => CHANNELS_WITH[option].includes(channel));
    const message: Subscribe = {
      action: 'subscribe',
      ...(symbols && { symbols }),
      ...((channel === 'bars' || channel === 'footprint') && { channel }),
      ...Object.fromEntries(own.map((option) => [option, query[option]])),
      // An id states the numbers of messages.
      seq: true,
    };
    return { channel, message };
  });
  for (const { channel, message } of subscriptions) {
    const [parameter, allowed] = faultOf(invalidOptions(channel, message)) ?? [];
    if (parameter !== undefined) throw invalid(parameter, allowed!);
  }
  const unknown = symbols?.find((code) => code !== '*' && !isSymbol(code));
  if (unknown !== undefined) throw symbolNotFound(unknown);
  return subscriptions;
}

/** The service cannot replay throttled messages, footprints and values of indicators. */
export const canResume = ({ channel, max_rate, indicators }: Subscribe): boolean =>
  channel !== 'footprint' && max_rate === undefined && indicators === undefined;

/** Whether an option differs from its default. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== false && value !== 'all';

/** The parameter that is invalid, and what is wrong with it. */
function faultOf(invalid: string | null): [string, string] | null {
  const [, parameter, rule] = /^([\w, ]+): (.*?)\.?$/.exec(invalid ?? '') ?? [];
  return parameter === undefined ? null : [parameter, rule!];
}

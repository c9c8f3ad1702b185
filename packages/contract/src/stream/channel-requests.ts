// Requests on `/ws`, which carries all channels. They are those of a single channel, and name the channel they are about.
import { z } from 'zod';
import { choice } from '../common/values.ts';
import { STREAM_CHANNELS } from './channels.ts';
import { ListMessage, PingMessage, SubscribeMessage, UnsubscribeMessage } from './requests.ts';

const named = {
  channel: choice(STREAM_CHANNELS, 'Name of the channel. `bars` and `footprint` require `timeframe`'),
};

export const ChannelSubscribe = SubscribeMessage.extend(named).meta({
  id: 'ChannelSubscribe',
  description: 'Subscribes to symbols of a channel',
});

export const ChannelUnsubscribe = UnsubscribeMessage.extend(named).meta({
  id: 'ChannelUnsubscribe',
  description: 'Unsubscribes from symbols of a channel',
});

export const ChannelList = ListMessage.extend(named).meta({
  id: 'ChannelList',
  description: 'Requests the current subscriptions of a channel',
});

/** A request on `/ws`. */
export const ChannelRequest = z.discriminatedUnion('action', [
  ChannelSubscribe,
  ChannelUnsubscribe,
  ChannelList,
  PingMessage,
]);
export type ChannelRequest = z.infer<typeof ChannelRequest>;

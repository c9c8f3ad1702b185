// Fields that several kinds of stream messages have.
import { z } from 'zod';
import { STREAM_CHANNELS, type StreamChannel } from './channels.ts';

const CHANNEL_NAME = 'Name of the channel; present on /ws and /sse only';
/** Names the channel of a data message. */
export const of = <const C extends StreamChannel>(channel: C) => ({
  channel: z.literal(channel).optional().meta({ description: CHANNEL_NAME }),
});
/** Names the channel that a reply or notice is about. */
export const ofChannel = { channel: z.enum(STREAM_CHANNELS).optional().meta({ description: CHANNEL_NAME }) };

export const RequestId = z.union([z.string().max(128), z.number()]).meta({
  description: 'Id of the request, echoed in the response',
  allowed: 'a text of up to 128 characters, or a number',
});

/** Position of a consumer in a stream: it has received everything of the epoch up to `seq`. */
export const StreamPosition = z.object({
  epoch: z.string().max(64).meta({ description: '`epoch` of the last message' }),
  seq: z.int().nonnegative().meta({ description: '`seq` of the last message' }),
});
export type StreamPosition = z.infer<typeof StreamPosition>;

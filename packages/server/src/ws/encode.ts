// Data messages as text. A body has no closing brace, so that the continuity fields can be appended for subscribers that
// requested them: one encoding serves both variants.
import type { StreamChannel, StreamPosition } from '@tickwire/contract';

/** A message and the time of its event in milliseconds; `null` for messages whose times are ISO strings. */
export interface Encoded {
  readonly body: string;
  readonly time: number | null;
}

/** Names the channel of the message, for connections that carry several. */
export const naming = (channel: StreamChannel, body: string): string => `{"channel":"${channel}",${body.slice(1)}`;

/** Adds the milliseconds for subscribers that requested them. */
export const withMs = (body: string, time: number | null): string =>
  time === null ? body : `${body},"time_ms":${Math.floor(time)}`;

export const plain = (body: string): string => `${body}}`;

export const sequenced = (body: string, seq: number, prev: number, epoch: string): string =>
  `${body},"seq":${seq},"prev":${prev},"epoch":"${epoch}"}`;

/** Where a message is in its channel. */
export interface EncodedPosition extends StreamPosition {
  readonly channel: StreamChannel;
}

const CHANNEL_START = '{"channel":"';
const SEQ_START = ',"seq":';

/** The position of a message with its channel and its sequence numbers; `null` of any other. A quote inside a text is escaped. */
export function positionIn(text: string): EncodedPosition | null {
  const at = text.lastIndexOf(SEQ_START);
  if (at < 0 || !text.startsWith(CHANNEL_START)) return null;
  const channel = text.slice(CHANNEL_START.length, text.indexOf('"', CHANNEL_START.length)) as StreamChannel;
  const [seq, , epoch] = text.slice(at + SEQ_START.length, -1).split(',');
  return { channel, seq: Number(seq), epoch: epoch!.slice('"epoch":"'.length, -1) };
}

// The `id` of server-sent events: the position of a client in each of its channels, as `channel:epoch:seq`, joined with `;`. A
// client that reconnects sends the last one as `Last-Event-ID`.
import { type Notice, STREAM_CHANNELS, type StreamChannel, type StreamPosition } from '@tickwire/contract';
import type { EncodedPosition } from './encode.ts';

const PART = /^([a-z]+):([\w-]{1,64}):(\d{1,15})$/;

/** The positions that an id states. Parts that are none are left out: their channels are declared to have a gap. */
export function readEventId(id: string): Map<StreamChannel, StreamPosition> {
  const positions = new Map<StreamChannel, StreamPosition>();
  for (const part of id.split(';', STREAM_CHANNELS.length)) {
    const [, channel, epoch, seq] = PART.exec(part) ?? [];
    if ((STREAM_CHANNELS as readonly unknown[]).includes(channel))
      positions.set(channel as StreamChannel, { epoch: epoch!, seq: Number(seq) });
  }
  return positions;
}

export class EventId {
  /** Of the channels that can resume. */
  readonly #positions: Map<StreamChannel, StreamPosition | null>;
  /** Newest position of each channel when it was subscribed. */
  readonly #subscribedAt = new Map<StreamChannel, StreamPosition>();

  /** `channels` can resume. `from`: where the client resumes; the others start where they are subscribed. */
  constructor(channels: readonly StreamChannel[], from: ReadonlyMap<StreamChannel, StreamPosition>) {
    this.#positions = new Map(channels.map((channel) => [channel, from.get(channel) ?? null]));
  }

  /** The client gets this message next. Messages of a channel arrive in the order of their numbers, except snapshots. */
  advance({ channel, epoch, seq }: EncodedPosition): void {
    const before = this.#positions.get(channel);
    if (before === undefined || (before?.epoch === epoch && before.seq >= seq)) return;
    this.#positions.set(channel, { epoch, seq });
  }

  /** The client gets this notice next. */
  note(notice: Notice): void {
    if (!('channel' in notice) || !notice.channel || !this.#positions.has(notice.channel)) return;
    const { channel } = notice;
    if (notice.event === 'subscribed' && notice.epoch !== undefined && notice.seq !== undefined) {
      const position = { epoch: notice.epoch, seq: notice.seq };
      this.#subscribedAt.set(channel, position);
      if (this.#positions.get(channel) === null) this.#positions.set(channel, position);
    } else if (notice.event === 'gap' && notice.reason === 'resume') {
      // Where the client was is lost, and declared.
      const start = this.#subscribedAt.get(channel) ?? null;
      this.#positions.set(channel, start && { epoch: start.epoch, seq: notice.to_seq ?? start.seq });
    }
  }

  /** Empty before the first position is known. */
  toString(): string {
    let text = '';
    for (const [channel, position] of this.#positions)
      if (position) text += `${text && ';'}${channel}:${position.epoch}:${position.seq}`;
    return text;
  }
}

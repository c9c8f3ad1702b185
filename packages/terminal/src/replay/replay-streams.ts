// The streams of a replay. Those of channels that have no past stay closed.
import type { StateDetail, StreamHandlers, StreamOptions, StreamState } from '@tickwire/client';
import { type SharedStream, UNKNOWN_GAP } from '../services/shared-streams.ts';
import { StreamService, type StreamServiceOptions, type TerminalStream } from '../services/stream-service.ts';

const PLAYED: readonly TerminalStream[] = ['market', 'orderflow', 'bars', 'footprint', 'news'];

const NOT_PLAYED: SharedStream = {
  state: 'closed',
  setSymbols() {},
  pause() {},
  resume() {},
  close() {},
};

export class ReplayStreams extends StreamService {
  readonly #isPlaying: () => boolean;

  constructor(options: StreamServiceOptions, isPlaying: () => boolean) {
    super(options);
    this.#isPlaying = isPlaying;
  }

  override open<K extends TerminalStream>(
    kind: K,
    options: StreamOptions<K>,
    handlers: StreamHandlers<K>,
    signal?: AbortSignal,
  ): SharedStream {
    if (!PLAYED.includes(kind)) return NOT_PLAYED;
    let isFirst = true;
    const onState = (state: StreamState, detail: StateDetail): void => {
      handlers.onState?.(state, detail);
      if (state !== 'live') return;
      // Headlines between the time of the list and that of the stream, which may be minutes later, are in neither.
      if (isFirst && kind === 'news' && this.#isPlaying()) handlers.onGap?.(UNKNOWN_GAP);
      isFirst = false;
    };
    // Positions of these streams are not those of recorded trades, so the tape joins both by their times.
    return super.open(kind, { ...options, seq: false }, { ...handlers, onState }, signal);
  }
}

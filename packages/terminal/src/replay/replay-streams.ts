// The streams of a replay. Those of channels that have no past stay closed.
import type { StreamHandlers, StreamOptions } from '@tickwire/client';
import type { SharedStream } from '../services/shared-streams.ts';
import { StreamService, type TerminalStream } from '../services/stream-service.ts';

const PLAYED: readonly TerminalStream[] = ['market', 'orderflow', 'bars', 'footprint', 'news'];

const NOT_PLAYED: SharedStream = {
  state: 'closed',
  setSymbols() {},
  pause() {},
  resume() {},
  close() {},
};

export class ReplayStreams extends StreamService {
  override open<K extends TerminalStream>(
    kind: K,
    options: StreamOptions<K>,
    handlers: StreamHandlers<K>,
    signal?: AbortSignal,
  ): SharedStream {
    if (!PLAYED.includes(kind)) return NOT_PLAYED;
    // Positions of these streams are not those of recorded trades, so the tape joins both by their times.
    return super.open(kind, { ...options, seq: false }, handlers, signal);
  }
}

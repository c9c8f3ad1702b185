// Something of a stream is missing, or may be: what the caller is told.
import type { GapNotice } from './contract.ts';

export interface Gap {
  readonly type: 'gap';
  /**
   * `resume`: after a reconnect the service no longer had what came meanwhile. `slow`: this connection did not keep up and
   * the service left messages out. `feed`: the service's own source was interrupted. `behind`: the reader of an iterable did
   * not keep up, and wanted only the newest. `undeclared`: a message is missing that nobody spoke of.
   */
  readonly reason: 'resume' | 'slow' | 'feed' | 'behind' | 'undeclared';
  /** `*` where it may be any. */
  readonly symbols: readonly string[];
  /** Numbers of the first and the last message that may be missing; null where they are not known. */
  readonly fromSeq: number | null;
  readonly toSeq: number | null;
  /** How many messages were left out, where that is known. */
  readonly dropped: number | null;
  /** Unix time in seconds of the last message before it of these symbols, the oldest of them; null where there was none. */
  readonly since: number | null;
  /** The REST call that has what is missing; `{symbol}` and `{since}` are to be put in. */
  readonly fill: string | null;
}

export function gapOf(notice: GapNotice, since: number | null): Gap {
  const { reason, symbols, from_seq, to_seq, dropped, fill } = notice;
  return {
    type: 'gap',
    reason,
    symbols,
    fromSeq: from_seq ?? null,
    toSeq: to_seq ?? null,
    dropped: dropped ?? null,
    since,
    fill: fill ?? null,
  };
}

export function unknownGap(reason: Gap['reason'], symbols: readonly string[], since: number | null): Gap {
  return { type: 'gap', reason, symbols, fromSeq: null, toSeq: null, dropped: null, since, fill: null };
}

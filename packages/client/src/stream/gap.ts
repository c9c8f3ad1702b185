// A gap: messages of a stream that are missing, or may be.
import type { GapNotice } from '../common/contract.ts';

/** Messages of a stream that are missing, or may be. If there is no gap, nothing is missing. */
export interface Gap {
  /** Always `gap`; tells the events of a stream apart. */
  readonly type: 'gap';
  /**
   * Why messages are missing.
   * - `resume`: after a reconnect, the service no longer had the messages sent in between.
   * - `slow`: this connection did not keep up, and the service skipped messages.
   * - `feed`: the service's own price feed was interrupted.
   * - `behind`: your loop did not keep up, and the stream was opened with `overflow: 'latest'`.
   * - `undeclared`: a message is missing without a notice of the service. This is a bug; please report it.
   */
  readonly reason: 'resume' | 'slow' | 'feed' | 'behind' | 'undeclared';
  /** The affected symbols; `*` if any symbol may be affected. */
  readonly symbols: readonly string[];
  /** `seq` of the first message that may be missing; `null` if unknown. */
  readonly fromSeq: number | null;
  /** `seq` of the last message that may be missing; `null` if unknown. */
  readonly toSeq: number | null;
  /** Number of missing messages; `null` if unknown. */
  readonly dropped: number | null;
  /** Unix time in seconds of the last message before the gap, the oldest of all symbols; `null` if there was none. */
  readonly since: number | null;
  /** Path of the REST call that returns the missing data; replace `{symbol}` and `{since}`. `null` if there is none. */
  readonly fill: string | null;
}

export function gapFromNotice(notice: GapNotice, since: number | null): Gap {
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

/** A gap of unknown extent. */
export function unknownGap(reason: Gap['reason'], symbols: readonly string[], since: number | null): Gap {
  return { type: 'gap', reason, symbols, fromSeq: null, toSeq: null, dropped: null, since, fill: null };
}

// The health of the streams of a kind, as the status bar and the line about an outage report it.
import type { StateDetail, StreamState } from '@tickwire/client';

/** The limit of open streams is reached. */
export const CLOSE_LIMIT = 4429;

export interface StreamHealth {
  readonly state: StreamState;
  /** Why the stream ended; '' if it is open or no reason was given. */
  readonly reason: string;
  /** Time of the next attempt, milliseconds since the epoch; `null` if none is scheduled. */
  readonly retryAt: number | null;
  /** The connection ended after it had been live. A page that opens a stream, or wants more of it, has lost nothing. */
  readonly lost: boolean;
  /** Refused because the limit of open streams is reached. The stream keeps retrying. */
  readonly limited: boolean;
}

/** `now`: milliseconds since the epoch. */
export function nextHealth(
  before: StreamHealth | undefined,
  state: StreamState,
  { end, retryInMs }: StateDetail,
  now: number,
): StreamHealth {
  const isDown = state === 'connecting' || state === 'closed';
  const wasUp = before?.state === 'live' || before?.state === 'stale';
  // Until a retry succeeds, the limit is assumed to hold.
  const retrying = state === 'connecting' && end === null && (before?.limited ?? false);
  return {
    state,
    reason: end?.reason ?? '',
    retryAt: retryInMs === null ? null : now + retryInMs,
    lost: isDown && (before?.lost === true || (wasUp && end !== null)),
    limited: retrying || end?.code === CLOSE_LIMIT,
  };
}

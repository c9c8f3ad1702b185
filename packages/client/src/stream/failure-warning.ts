// Says in the console that a stream cannot connect, for programs that do not watch its states. Otherwise such a stream would wait
// without a word. A stream with callbacks also says that the service has ended it: nothing else tells the program.
import type { ConnectionEnd } from './connection.ts';
import type { StreamKind } from './messages.ts';
import type { StateDetail, StreamState } from './reconnecting-socket.ts';

const CLOSED_BY_CALLER = 1000;

/**
 * A handler of states that warns of the first failed attempt, once until the stream is live again. A connection that breaks is
 * none: the stream resumes with the next one.
 */
export function warnOfFailures(
  kind: StreamKind,
  url: string,
  warn: (text: string) => void = console.warn,
): (state: StreamState, detail: StateDetail) => void {
  let before: StreamState | null = null;
  let hasWarned = false;
  return (state, { end, retryInMs }) => {
    if (state === 'live') hasWarned = false;
    if (end && retryInMs !== null && before === 'connecting' && !hasWarned) {
      hasWarned = true;
      const next = `Next attempt in ${(retryInMs / 1_000).toFixed(1)} s, then less often; onState replaces this warning`;
      warn(`tickwire: the stream of ${kind} cannot connect to ${new URL(url).origin}: ${reasonOf(end)}. ${next}`);
    }
    before = state;
  };
}

/** The same for a stream with callbacks, which no error tells that the service has ended it. */
export function warnOfFailuresAndEnd(
  kind: StreamKind,
  url: string,
  warn: (text: string) => void = console.warn,
): (state: StreamState, detail: StateDetail) => void {
  const onState = warnOfFailures(kind, url, warn);
  return (state, detail) => {
    onState(state, detail);
    if (state === 'closed' && detail.end && detail.end.code !== CLOSED_BY_CALLER)
      warn(
        `tickwire: ${new URL(url).origin} has ended the stream of ${kind}: ${reasonOf(detail.end)}. It does not reconnect; onState replaces this warning`,
      );
  };
}

const reasonOf = ({ code, reason }: ConnectionEnd): string => reason || `closed with ${code}`;

// Which replay session a stream follows, and how: the parameters `replay` and `lockstep` of a handshake.
import { invalidParameter } from '../errors/service-error.ts';
import { readReplay } from '../http/replay-parameter.ts';

const LOCKSTEP = 'lockstep';

export interface StreamedReplay {
  readonly id: string;
  /** Whether the clock waits for the reader after each time. */
  readonly lockstep: boolean;
}

/** `null` for the present. */
export function streamedReplay(request: Request): StreamedReplay | null {
  const query = URL.parse(request.url)?.search.slice(1) ?? '';
  const { replay } = readReplay(request, query);
  if (!query.includes(LOCKSTEP)) return replay === null ? null : { id: replay, lockstep: false };
  const value = new URLSearchParams(query).get(LOCKSTEP);
  const lockstep = value === 'true';
  if (value !== null && !lockstep && value !== 'false') throw invalidParameter(LOCKSTEP, value, 'true or false');
  if (replay !== null) return { id: replay, lockstep };
  if (lockstep) throw invalidParameter(LOCKSTEP, 'true', 'left out without replay');
  return null;
}

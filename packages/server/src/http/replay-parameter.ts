// Which replay session a request is about: the header `Replay` or the parameter `replay`, which any endpoint may have.
import { ServiceError } from '../errors/service-error.ts';

const HEADER = 'replay';
const MAX_SHOWN = 100;

export interface ReplayParameter {
  /** Id of the session; `null` for the present. */
  readonly replay: string | null;
  /** The query without the parameter. */
  readonly query: string;
}

/** Of a request with this query, without its question mark. */
export function readReplay({ headers }: Request, query: string): ReplayParameter {
  const header = headers.get(HEADER);
  if (!query.includes(HEADER)) return { replay: header, query };
  const parts = query.split('&');
  const isOther = (part: string): boolean => nameOf(part) !== HEADER;
  const given = parts.filter((part) => !isOther(part));
  if (given.length === 0) return { replay: header, query };
  const replay = new URLSearchParams(given[0]).get(HEADER)!;
  if (given.length > 1 || (header !== null && header !== replay)) {
    const errors = [{ parameter: HEADER, value: given.join('&').slice(0, MAX_SHOWN), allowed: 'given only once' }];
    throw new ServiceError('repeated_parameter', 'replay must be given only once', { errors });
  }
  return { replay, query: parts.filter(isOther).join('&') };
}

const nameOf = (part: string): string => new URLSearchParams(part).keys().next().value ?? '';

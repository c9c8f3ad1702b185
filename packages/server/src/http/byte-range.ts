// Conditional and range requests for a file (RFC 9110, sections 13 and 14). One range is supported; several are answered with
// the whole file, as the standard allows.

import { ServiceError } from '../errors/service-error.ts';
import { matchesEtag } from './conditional-response.ts';

export interface FilePart {
  readonly status: 200 | 206 | 304;
  /** Bytes of the body, `end` exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Throws a 412 or a 416. */
export function selectPart(request: Request, size: number, etag: string): FilePart {
  const { headers, method } = request;
  const whole: FilePart = { status: 200, start: 0, end: size };
  const match = headers.get('if-match');
  if (match !== null && !matchesStrong(match, etag))
    throw new ServiceError('precondition_failed', 'If-Match names another version of the file.', {
      headers: { ETag: etag },
    });
  if (matchesEtag(headers.get('if-none-match'), etag)) return { status: 304, start: 0, end: 0 };
  const range = method === 'GET' ? headers.get('range') : null;
  // A range of another version would not fit the parts that the client has.
  if (range === null || !isCurrent(headers.get('if-range'), etag)) return whole;
  const bytes = parseRange(range, size);
  if (bytes === 'ignored') return whole;
  if (bytes !== 'unsatisfiable') return { status: 206, ...bytes };
  throw new ServiceError('range_not_satisfiable', `The file has ${size} bytes. Range names none of them.`, {
    headers: { 'Content-Range': `bytes */${size}`, ETag: etag },
  });
}

/** Whether a part of the file is requested. */
export const wantsPart = ({ method, headers }: Request): boolean =>
  (method === 'GET' && headers.has('range')) || headers.has('if-match');

/** `ignored`: not a range of bytes, malformed, or several. */
export function parseRange(text: string, size: number): { start: number; end: number } | 'ignored' | 'unsatisfiable' {
  const [, first, last] = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(text) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'ignored';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Number(last) + 1;
  if (end <= start && last !== '') return 'ignored';
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size) };
}

/** A date never matches: files have no date. A weak tag never matches either. */
const isCurrent = (condition: string | null, etag: string): boolean => condition === null || condition.trim() === etag;

const matchesStrong = (condition: string, etag: string): boolean =>
  condition.trim() === '*' || condition.split(',').some((each) => each.trim() === etag);

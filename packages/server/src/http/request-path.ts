// The path of a request: its limits, its encoding, and how the log shows it.
import { DATA_LINK_PATH, UDF_PATH } from '@tickwire/contract';
import { ServiceError } from '../errors/service-error.ts';

/** Characters of path and query together. A request that names every symbol stays well below. */
const MAX_URL = 8_192;

/** Index of the path in the URL. The host before it comes from the client and may be anything. */
export const pathStart = (url: string): number => url.indexOf('/', 'https://'.length);

export const isTooLong = (url: string, path = pathStart(url)): boolean => url.length - path > MAX_URL;

export const tooLong = (): ServiceError =>
  new ServiceError('uri_too_long', `Path and query may be at most ${MAX_URL} characters long together.`);

export const malformedPath = (): ServiceError =>
  new ServiceError('malformed_path', 'The path contains an invalid percent-encoding.');

export const hasBadEscape = (url: string, path: number, mark: number): boolean => {
  const first = url.indexOf('%', path);
  if (first < 0 || (mark >= 0 && first > mark)) return false;
  try {
    decodeURIComponent(url.slice(path, mark < 0 ? url.length : mark));
    return false;
  } catch {
    return true;
  }
};

/** Two would let a proxy and this service disagree about the address. The runtime joins them. */
export function requireOneHost({ headers }: Request): void {
  if (headers.get('host')?.includes(',')) throw new ServiceError('repeated_parameter', 'Send the header Host once.');
}

/** Whether a path belongs to the data feed of TradingView charts, directly or through a data link. */
export const isUdfPath = (url: string): boolean => UDF.test(url.slice(pathStart(url)));
const UDF = new RegExp(`^(${UDF_PATH}|${DATA_LINK_PATH}[^/?]+)/`);

/** For the log: the tokens of webhooks and data links are secrets. */
export const loggedPath = (request: Request): string =>
  (URL.parse(request.url)?.pathname ?? '').replace(/(\/hooks\/[^/]*\/|\/link\/).*/i, '$1…');

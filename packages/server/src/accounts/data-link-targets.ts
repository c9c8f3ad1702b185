// What a data link may read: checked when it is created, so that a mistake does not wait for the spreadsheet that uses it.
import { ENDPOINTS, type Endpoint, isLinkable, UDF_PATH } from '@tickwire/contract';
import { invalidParameter, symbolNotFound } from '../errors/service-error.ts';
import { PathTable, routeOf } from '../http/path-table.ts';
import { type Query, queryReader, type ResolveSymbol } from '../http/query.ts';
import { hasBadEscape, malformedPath } from '../http/request-path.ts';

const BASE = 'http://tickwire';
const ALLOWED =
  'the path and query of an endpoint that reads market data, signals, publishers, news or the calendar, or /udf';

export class DataLinkTargets {
  readonly #queries: PathTable<(query: string) => Query>;
  readonly #resolve: ResolveSymbol;

  constructor(resolve: ResolveSymbol) {
    this.#resolve = resolve;
    const linkable = Object.values<Endpoint>(ENDPOINTS).filter(isLinkable);
    this.#queries = new PathTable(linkable.map(({ path, query }) => [routeOf(path), queryReader(query, resolve)]));
  }

  /** The path as a link stores it. Throws if no link can be made for it. */
  check(path: string): string {
    const url = URL.parse(path, BASE);
    if (!url || url.origin !== BASE) throw invalidParameter('path', path, ALLOWED);
    const { pathname, search } = url;
    if (hasBadEscape(pathname, 0, -1)) throw malformedPath();
    if (pathname === UDF_PATH || pathname === `${UDF_PATH}/`) return UDF_PATH;
    const found = this.#queries.match(pathname);
    if (!found) throw invalidParameter('path', path, ALLOWED);
    const { symbol } = found.params;
    if (symbol !== undefined && !this.#resolve(symbol)) throw symbolNotFound(symbol);
    found.value(search.slice(1));
    return pathname + search;
  }
}

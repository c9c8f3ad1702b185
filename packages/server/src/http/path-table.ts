// Finds what belongs to a path, as the runtime's router does: `/api/bars/:symbol` fits `/api/bars/EURUSD`.

interface Row<T> {
  readonly segments: readonly string[];
  readonly value: T;
}

export interface PathMatch<T> {
  readonly value: T;
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
}

export class PathTable<T> {
  /** Paths without parameters come first. */
  readonly #rows: readonly Row<T>[];

  /** Values by path, with `:name` for a parameter. */
  constructor(values: Iterable<readonly [path: string, value: T]>) {
    this.#rows = Array.from(values, ([path, value]): Row<T> => ({ segments: path.split('/'), value })).sort(
      (a, b) => parameters(a) - parameters(b),
    );
  }

  /** `null` if no path fits. The given one must have no invalid escape. */
  match(path: string): PathMatch<T> | null {
    const given = path.split('/');
    for (const { segments, value } of this.#rows) {
      const params = paramsOf(segments, given);
      if (params) return { value, params };
    }
    return null;
  }
}

/** A path of the contract in the notation of the router: `:name` for `{name}`. */
export const routeOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

const parameters = ({ segments }: Row<unknown>): number => segments.filter((segment) => segment.startsWith(':')).length;

function paramsOf(segments: readonly string[], given: readonly string[]): Record<string, string> | null {
  if (segments.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, segment] of segments.entries()) {
    if (segment.startsWith(':')) params[segment.slice(1)] = decodeURIComponent(given[at]!);
    else if (segment !== given[at]) return null;
  }
  return params;
}

// Finds entries of the search index. Every word of the query must occur; entries whose title matches best come first.

/** As in the search index of the service. */
export type SearchEntry = readonly [kind: string, title: string, detail: string, page: number, anchor: string];

export interface SearchIndex {
  readonly pages: readonly string[];
  readonly entries: readonly SearchEntry[];
}

const MOST_RESULTS = 30;
/** Of equal matches, the kind that comes first here is shown first. */
const KINDS = ['endpoint', 'section', 'message', 'error', 'resource', 'header', 'field', 'parameter'];

/** The same name occurs in many places: an endpoint or error with the word in its name comes first. */
const MANY: ReadonlySet<string> = new Set(['field', 'parameter']);

/** Name parts of identifiers count as words: `take_profit`, `MarketTick`, `/api/quotes`. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

/** The lower, the better; null if the entry does not match. */
function rank([kind, title, detail]: SearchEntry, query: string, words: readonly string[]): number | null {
  const name = title.toLowerCase();
  const parts = wordsOf(title);
  const text = `${name} ${parts.join(' ')} ${detail.toLowerCase()} ${kind}`;
  if (!words.every((word) => text.includes(word))) return null;
  const order = KINDS.indexOf(kind) + (MANY.has(kind) ? 12 : 0);
  if (name === query) return order;
  if (words.every((word) => parts.includes(word))) return 10 + order;
  if (name.startsWith(query) || words.every((word) => parts.some((part) => part.startsWith(word)))) return 20 + order;
  if (words.every((word) => name.includes(word))) return 30 + order;
  return 40 + order;
}

export function search({ entries }: SearchIndex, typed: string): readonly SearchEntry[] {
  const query = typed.trim().toLowerCase();
  const words = query.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return [];
  return entries
    .map((entry, at) => ({ entry, at, rank: rank(entry, query, words) }))
    .filter(({ rank: found }) => found !== null)
    .sort((a, b) => a.rank! - b.rank! || a.entry[1].length - b.entry[1].length || a.at - b.at)
    .slice(0, MOST_RESULTS)
    .map(({ entry }) => entry);
}

export const addressOf = ({ pages }: SearchIndex, [, , , page, anchor]: SearchEntry): string =>
  `${pages[page]}#${anchor}`;

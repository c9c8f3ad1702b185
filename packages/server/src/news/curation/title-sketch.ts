// What is compared of two titles: their words without filling and without the agency's own marks, pairs of neighbouring
// words, and figures.
import { directed, isDirection } from './direction-words.ts';
import { isFigure, wordsOf } from './words.ts';

/** Of fewer words nothing is left if one is changed: such titles are compared whole. */
export const FEWEST_WORDS = 4;

export interface TitleSketch {
  /** Words in their order, without figures. */
  readonly words: readonly string[];
  readonly wordSet: ReadonlySet<string>;
  /** Hashes of pairs of neighbouring words; of a title of very few words, one of all of them. */
  readonly shingles: ReadonlySet<number>;
  /** Which way what is named goes: by the word that stands before a word of direction. */
  readonly ways: ReadonlyMap<string, string>;
  /** Numbers, and words that hold one: Q3, 10y. */
  readonly figures: ReadonlySet<string>;
}

const AGENCIES = `reuters, bloomberg, associated press, ap, afp, dpa, dow jones newswires, cnbc, marketwatch, forexlive, investinglive, fxstreet,
  kitco, coindesk, cointelegraph, the block, decrypt, investing.com, yahoo finance, wsj, ft, rtrs, agencies, pti, ians, xinhua, ansa,
  seeking alpha, benzinga, barron’s, nikkei asia, kyodo`;
const names = AGENCIES.split(/,\s*/)
  .map((name) => name.replace(/[.]/g, '\\.').replace('’', "['’]"))
  .join('|');
const FLAGS =
  'breaking(?: news)?|update|updated|exclusive|live|watch|video|just in|alert|flash|urgent|factbox|explainer|corrected';
/** "UPDATE 2-", "BREAKING:", "Reuters – ", "LONDON (Reuters) -" */
const HEAD = new RegExp(
  `^(?:(?:(?:${FLAGS})\\s*\\d*|(?:[\\p{Lu} ]{2,20}, )?(?:[^()]{0,30} )?\\(?(?:${names})\\)?)\\s*[:|–—-]+\\s*)+`,
  'iu',
);
/** " - Reuters", "| FXStreet", "(Reuters)" */
const TAIL = new RegExp(
  `(?:\\s*[|–—]\\s*|\\s+-\\s+|\\s*[:;]\\s*|\\s*\\(\\s*|\\s*\\[\\s*|,? (?:via|by) )(?:${names})\\s*[)\\]]?\\s*$`,
  'iu',
);

/** An agency's mark stands within so many characters of an end, and behind or before one of these signs. */
const MARK_REACH = 60;
const MARK = /[:|–—-]/;
const TAIL_MARK = /[:;|–—([-]|,? (?:via|by) /i;

/** Words that carry no news of their own. */
const FILLING: ReadonlySet<string> = new Set(
  `a an the of to in on at for by with from as and or but is are was were be been it its that this than into over amid says
  say said about has have had will would could may might also per cent percent pct report s t vs`.split(/\s+/),
);

export function sketchOf(title: string, source = ''): TitleSketch {
  const { stems } = wordsOf(withoutMarks(title, source));
  const words: string[] = [];
  const figures = new Set<string>();
  for (const stem of stems) {
    if (isFigure(stem) || /\d/.test(stem)) figures.add(stem);
    // A cashtag stands beside the name it is of.
    if (!isFigure(stem) && !FILLING.has(stem) && !stem.startsWith('$')) words.push(directed(stem));
  }
  const shingles = new Set<number>();
  if (words.length < FEWEST_WORDS) shingles.add(hashOf(words));
  else for (let at = 1; at < words.length; at++) shingles.add(hashOf([words[at - 1]!, words[at]!]));
  return { words, wordSet: new Set(words), shingles, ways: waysOf(words), figures };
}

function waysOf(words: readonly string[]): Map<string, string> {
  const ways = new Map<string, string>();
  for (let at = 1; at < words.length; at++) if (isDirection(words[at]!)) ways.set(words[at - 1]!, words[at]!);
  return ways;
}

function withoutMarks(title: string, source: string): string {
  let rest = MARK.test(title.slice(0, MARK_REACH)) ? title.replace(HEAD, '') : title;
  const end = Math.max(0, rest.length - MARK_REACH);
  const tail = rest.slice(end);
  if (TAIL_MARK.test(tail)) rest = rest.slice(0, end) + tail.replace(TAIL, '');
  if (source.length > 2 && rest.toLowerCase().endsWith(source.toLowerCase())) rest = rest.slice(0, -source.length);
  // A title that is nothing but a mark is kept as it is.
  return rest.trim() === '' ? title : rest;
}

/** FNV-1a over words. */
function hashOf(words: readonly string[]): number {
  let hash = 0x811c9dc5;
  for (const word of words) {
    for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ 32, 0x01000193);
  }
  return hash >>> 0;
}

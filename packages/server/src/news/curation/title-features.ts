// The features by which two titles are compared: their significant words (without stop words and agency marks), pairs of
// neighbouring words, directions and figures.
import { isDirection, normalizeDirection } from './direction-words.ts';
import { isNumber, tokenize } from './tokenizer.ts';

/** Titles with fewer words are compared as a whole: one changed word leaves nothing in common. */
export const MIN_COMPARABLE_WORDS = 4;

export interface TitleFeatures {
  /** In their order, without figures. */
  readonly words: readonly string[];
  readonly wordSet: ReadonlySet<string>;
  /** Hashes of pairs of neighbouring words; for a short title, one hash of all words. */
  readonly shingles: ReadonlySet<number>;
  /** Direction of each subject: the word before a word of direction. */
  readonly directions: ReadonlyMap<string, string>;
  /** Numbers, and words that contain one: Q3, 10y. */
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

/** Agency marks are searched within this many characters of either end, next to one of these characters. */
const MARK_REACH = 60;
const HEAD_MARK = /[:|–—-]/;
const TAIL_MARK = /[:;|–—([-]|,? (?:via|by) /i;

const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the of to in on at for by with from as and or but is are was were be been it its that this than into over amid says
  say said about has have had will would could may might also per cent percent pct report s t vs`.split(/\s+/),
);

export function titleFeatures(title: string, source = ''): TitleFeatures {
  const { stems } = tokenize(removeAgencyMarks(title, source));
  const words: string[] = [];
  const figures = new Set<string>();
  for (const stem of stems) {
    if (isNumber(stem) || /\d/.test(stem)) figures.add(stem);
    // A cashtag only repeats the name next to it.
    if (!isNumber(stem) && !STOP_WORDS.has(stem) && !stem.startsWith('$')) words.push(normalizeDirection(stem));
  }
  const shingles = new Set<number>();
  if (words.length < MIN_COMPARABLE_WORDS) shingles.add(hashWords(words));
  else for (let at = 1; at < words.length; at++) shingles.add(hashWords([words[at - 1]!, words[at]!]));
  return { words, wordSet: new Set(words), shingles, directions: directionsOf(words), figures };
}

function directionsOf(words: readonly string[]): Map<string, string> {
  const directions = new Map<string, string>();
  for (let at = 1; at < words.length; at++) if (isDirection(words[at]!)) directions.set(words[at - 1]!, words[at]!);
  return directions;
}

function removeAgencyMarks(title: string, source: string): string {
  let rest = HEAD_MARK.test(title.slice(0, MARK_REACH)) ? title.replace(HEAD, '') : title;
  const end = Math.max(0, rest.length - MARK_REACH);
  const tail = rest.slice(end);
  if (TAIL_MARK.test(tail)) rest = rest.slice(0, end) + tail.replace(TAIL, '');
  if (source.length > 2 && rest.toLowerCase().endsWith(source.toLowerCase())) rest = rest.slice(0, -source.length);
  // A title that consists of a mark alone is kept.
  return rest.trim() === '' ? title : rest;
}

/** FNV-1a. */
function hashWords(words: readonly string[]): number {
  let hash = 0x811c9dc5;
  for (const word of words) {
    for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ 32, 0x01000193);
  }
  return hash >>> 0;
}

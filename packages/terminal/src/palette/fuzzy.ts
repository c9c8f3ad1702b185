// Fuzzy search: a text matches if it contains all typed letters in order, not merely scattered over it. It ranks higher if they
// start words or are adjacent.

export interface Match {
  /** Higher is better. */
  readonly score: number;
  /** Positions of the typed letters in the text, ascending. */
  readonly at: readonly number[];
}

/** Scores of a letter. */
const STARTS_WORD = 8;
const ADJACENT = 5;
const STARTS_TEXT = 6;
const SKIPPED = -0.15;
/** The whole text was typed. Counts twice for the displayed text. */
const EXACT = 1;
/** Weight of a text that is not displayed. */
const OTHER_TEXT = 0.7;
/** Per letter, if all letters are adjacent: they probably are a word. */
const CONTIGUOUS = 4;

const startsWord = (text: string, at: number): boolean => {
  if (at === 0) return true;
  const [before, here] = [text[at - 1] ?? '', text[at] ?? ''];
  return !/[\p{L}\p{N}]/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(here));
};

/** `null` if a letter is missing. Typed spaces are ignored. An empty input matches everything. */
export function match(typed: string, text: string): Match | null {
  const wanted = [...typed.toLowerCase()].filter((letter) => letter.trim() !== '').join('');
  const letters = text.toLowerCase();
  // Lower case may be longer than upper case, which would shift positions; such texts are compared as they are.
  if (letters.length !== text.length) return text.includes(typed) ? { score: 1, at: [] } : null;
  if (wanted === '') return { score: 0, at: [] };
  // best[j]: the best match of the letters so far whose last letter is at j.
  let best: (Match | null)[] = [];
  for (let typedAt = 0; typedAt < wanted.length; typedAt++) {
    const next: (Match | null)[] = [];
    let before: Match | null = null;
    let found = false;
    for (let j = 0; j < letters.length; j++) {
      const adjacent: Match | null = typedAt > 0 ? (best[j - 1] ?? null) : null;
      // `before` is the best match that ends earlier; each skipped letter lowers its score.
      if (before) before = { score: before.score + SKIPPED, at: before.at };
      if (letters[j] === wanted[typedAt]) {
        const own = 1 + (startsWord(text, j) ? STARTS_WORD : 0) + (j === 0 ? STARTS_TEXT : 0);
        const ways: Match[] = [];
        if (typedAt === 0) ways.push({ score: own + j * SKIPPED, at: [j] });
        if (adjacent) ways.push({ score: adjacent.score + own + ADJACENT, at: [...adjacent.at, j] });
        if (before) ways.push({ score: before.score + own, at: [...before.at, j] });
        const way = ways.sort((one, other) => other.score - one.score)[0] ?? null;
        next[j] = way;
        if (way) found = true;
      }
      if (adjacent && (!before || adjacent.score > before.score)) before = adjacent;
    }
    if (!found) return null;
    best = next;
  }
  const ends = best.filter((way) => way !== null && way !== undefined).map((way) => whole(way as Match));
  const top = ends.sort((one, other) => other.score - one.score)[0];
  // A shorter text is the better match.
  return top ? { score: top.score - letters.length * 0.01, at: top.at } : null;
}

function whole({ score, at }: Match): Match {
  const together = at.every((position, place) => position === (at[0] ?? 0) + place);
  return { score: score + (together ? at.length * CONTIGUOUS : 0), at };
}

/** Of typed letters, one in this many may be left out of a word: `sttngs` finds Settings. */
const LETTERS_PER_GAP = 3;

/**
 * Whether the user may have meant the text. Letters that are merely scattered over it are noise. In a text that is displayed,
 * the letters are one part of it, or each part starts a word or continues one after a gap. In other texts, each part starts a
 * word and has at least two letters.
 */
function isSensible(text: string, at: readonly number[], shown: boolean): boolean {
  const starts = at.filter((position, place) => place === 0 || at[place - 1] !== position - 1);
  if (shown && starts.length === 1 && at.length > 1) return true;
  if (!startsWord(text, at[0] ?? 0)) return false;
  const inside = starts.slice(1).filter((start) => !startsWord(text, start));
  if (!shown) {
    const parts = starts.map((start, place) => at.indexOf(starts[place + 1] ?? -1) - at.indexOf(start));
    return inside.length === 0 && parts.slice(0, -1).every((letters) => letters > 1);
  }
  const sameWord = (start: number): boolean => !/[^\p{L}\p{N}]/u.test(text.slice(at[at.indexOf(start) - 1]!, start));
  return inside.every(sameWord) && inside.length <= Math.max(1, Math.floor(at.length / LETTERS_PER_GAP));
}

export interface Ranked<T> {
  readonly item: T;
  readonly match: Match;
}

/** The best matches, best first. The first of `textsOf` is displayed; the others count less unless one was typed in full. */
export function rank<T>(
  typed: string,
  items: readonly T[],
  textsOf: (item: T) => readonly string[],
  most: number,
): readonly Ranked<T>[] {
  const ranked: Ranked<T>[] = [];
  for (const item of items) {
    let top: Match | null = null;
    for (const [at, text] of textsOf(item).entries()) {
      const found = match(typed, text);
      if (!found || !(found.at.length === 0 || isSensible(text, found.at, at === 0))) continue;
      const exact = text.toLowerCase() === typed.trim().toLowerCase();
      const shown = at === 0;
      const score = (exact ? EXACT : 0) + found.score * (shown || exact ? 1 : OTHER_TEXT);
      const weighed = { score: shown ? score + (exact ? EXACT : 0) : score, at: shown ? found.at : [] };
      if (!top || weighed.score > top.score) top = weighed;
    }
    if (top) ranked.push({ item, match: top });
  }
  return ranked.sort((one, other) => other.match.score - one.match.score).slice(0, most);
}

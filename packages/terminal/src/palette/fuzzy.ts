// How well a text answers what was typed: all letters in their order, best where they begin words or stand together.

export interface Match {
  /** Higher is better. */
  readonly score: number;
  /** Positions in the text of the letters that were typed, ascending. */
  readonly at: readonly number[];
}

const BEGINS_WORD = 8;
const FOLLOWS = 5;
const BEGINS_TEXT = 6;
const SKIPPED = -0.15;
/** Where all of a text was typed; twice where it is the one that is shown. */
const ALL_TYPED = 1;
/** What a text that is not shown counts. */
const OTHER_TEXT = 0.7;
/** For a letter typed in one piece with all the others: who types a word means that word. */
const IN_ONE_PIECE = 4;

const beginsWord = (text: string, at: number): boolean => {
  if (at === 0) return true;
  const [before, here] = [text[at - 1] ?? '', text[at] ?? ''];
  return !/[\p{L}\p{N}]/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(here));
};

/** null where a letter is missing. Spaces in what was typed only part words. Nothing typed fits everything. */
export function match(typed: string, text: string): Match | null {
  const wanted = [...typed.toLowerCase()].filter((letter) => letter.trim() !== '').join('');
  const letters = text.toLowerCase();
  // A letter whose small form is longer would shift the positions; names of this kind are matched as they are.
  if (letters.length !== text.length) return text.includes(typed) ? { score: 1, at: [] } : null;
  if (wanted === '') return { score: 0, at: [] };
  // best[j]: the best way to have matched so far with the last letter at j.
  let best: (Match | null)[] = [];
  for (let typedAt = 0; typedAt < wanted.length; typedAt++) {
    const next: (Match | null)[] = [];
    let before: Match | null = null;
    let found = false;
    for (let j = 0; j < letters.length; j++) {
      const adjacent: Match | null = typedAt > 0 ? (best[j - 1] ?? null) : null;
      // `before` is the best way that ends at least one letter earlier; each letter skipped costs a little.
      if (before) before = { score: before.score + SKIPPED, at: before.at };
      if (letters[j] === wanted[typedAt]) {
        const own = 1 + (beginsWord(text, j) ? BEGINS_WORD : 0) + (j === 0 ? BEGINS_TEXT : 0);
        const ways: Match[] = [];
        if (typedAt === 0) ways.push({ score: own + j * SKIPPED, at: [j] });
        if (adjacent) ways.push({ score: adjacent.score + own + FOLLOWS, at: [...adjacent.at, j] });
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
  // Of two texts with the same letters the shorter one is meant.
  return top ? { score: top.score - letters.length * 0.01, at: top.at } : null;
}

function whole({ score, at }: Match): Match {
  const together = at.every((position, place) => position === (at[0] ?? 0) + place);
  return { score: score + (together ? at.length * IN_ONE_PIECE : 0), at };
}

export interface Ranked<T> {
  readonly item: T;
  readonly match: Match;
}

/** The best ones, best first; of equals the one that came first. `textsOf`: the first is what is shown, others count less unless all of one was typed. */
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
      if (!found) continue;
      const all = text.toLowerCase() === typed.trim().toLowerCase();
      const shown = at === 0;
      const score = (all ? ALL_TYPED : 0) + found.score * (shown || all ? 1 : OTHER_TEXT);
      const weighed = { score: shown ? score + (all ? ALL_TYPED : 0) : score, at: shown ? found.at : [] };
      if (!top || weighed.score > top.score) top = weighed;
    }
    if (top) ranked.push({ item, match: top });
  }
  return ranked.sort((one, other) => other.match.score - one.match.score).slice(0, most);
}

// Splits a word into its most probable subword pieces: a unigram language model, solved with the Viterbi algorithm.
import type { Weights } from './weights.ts';

/** The first piece of a word starts with this character. */
const WORD_START = '\u2581';
/** The first pieces of the vocabulary are control symbols, which are never produced. */
const CONTROLS = 6;
const UNKNOWN = 0;

export interface Piece {
  readonly id: number;
  /** Number of code points of the word up to the end of the piece. */
  readonly end: number;
}

export class SubwordTokeniser {
  private readonly ids = new Map<string, number>();
  private readonly longest: number;

  constructor(
    pieces: readonly string[],
    private readonly scores: Weights['vocabulary']['scores'],
  ) {
    let longest = 0;
    pieces.forEach((piece, id) => {
      if (id < CONTROLS) return;
      this.ids.set(piece, id);
      longest = Math.max(longest, [...piece].length);
    });
    this.longest = longest;
  }

  /** The pieces of a word, given as code points. Characters that are in no piece are skipped, as in training. */
  split(word: readonly string[]): Piece[] {
    const characters = [WORD_START, ...word];
    const count = characters.length;
    // A position that no piece reaches scores 0, as in the original tokeniser of the vocabulary.
    const best = new Float64Array(count + 1);
    const reached = new Uint8Array(count + 1);
    const chosen = new Int32Array(count + 1);
    const lengths = new Int32Array(count + 1).fill(1);
    const consider = (end: number, score: number, id: number, length: number): void => {
      // On a tie the later candidate, which is the shorter piece, wins.
      if (reached[end] && score < best[end]!) return;
      reached[end] = 1;
      best[end] = score;
      chosen[end] = id;
      lengths[end] = length;
    };
    for (let start = 0; start < count; start += 1) {
      const from = best[start]!;
      let found = false;
      let candidate = '';
      for (let end = start + 1; end <= Math.min(count, start + this.longest); end += 1) {
        candidate += characters[end - 1];
        const id = this.ids.get(candidate);
        if (id === undefined) continue;
        found = true;
        consider(end, from + this.scores[id]!, id, end - start);
      }
      if (!found) consider(start + 1, from, UNKNOWN, 1);
    }
    const pieces: Piece[] = [];
    for (let end = count; end > 0; end -= lengths[end]!) {
      if (chosen[end] !== UNKNOWN) pieces.push({ id: chosen[end]!, end: end - 1 });
    }
    return pieces.reverse();
  }
}

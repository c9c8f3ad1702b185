// The most probable way to spell a word with the pieces of the vocabulary (a unigram language model, solved by Viterbi).
import type { Weights } from './weights.ts';

/** A word begins with this piece or with one that starts with it. */
const WORD_START = '\u2581';
/** The first pieces of the vocabulary are controls, never spelt. */
const CONTROLS = 6;
const UNKNOWN = 0;

export interface Piece {
  readonly id: number;
  /** Code points of the word up to the end of the piece. */
  readonly end: number;
}

export class Subwords {
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

  /** The pieces of a word given by its code points. A character in no piece is left out, as in training. */
  spell(word: readonly string[]): Piece[] {
    const characters = [WORD_START, ...word];
    const count = characters.length;
    // An end that no piece reaches counts 0, as in the tokeniser the vocabulary comes from.
    const best = new Float64Array(count + 1);
    const reached = new Uint8Array(count + 1);
    const chosen = new Int32Array(count + 1);
    const lengths = new Int32Array(count + 1).fill(1);
    const offer = (end: number, score: number, id: number, length: number): void => {
      // On a tie the later offer, that is the shorter piece, wins.
      if (reached[end] && score < best[end]!) return;
      reached[end] = 1;
      best[end] = score;
      chosen[end] = id;
      lengths[end] = length;
    };
    for (let start = 0; start < count; start += 1) {
      const from = best[start]!;
      let found = false;
      let spelt = '';
      for (let end = start + 1; end <= Math.min(count, start + this.longest); end += 1) {
        spelt += characters[end - 1];
        const id = this.ids.get(spelt);
        if (id === undefined) continue;
        found = true;
        offer(end, from + this.scores[id]!, id, end - start);
      }
      if (!found) offer(start + 1, from, UNKNOWN, 1);
    }
    const pieces: Piece[] = [];
    for (let end = count; end > 0; end -= lengths[end]!) {
      if (chosen[end] !== UNKNOWN) pieces.push({ id: chosen[end]!, end: end - 1 });
    }
    return pieces.reverse();
  }
}

// An upper estimate of how many tokens a text costs a language model, and the budgets of answers. Tokenizers differ by model
// and are large, so none is included. The estimate splits a text as they do, into runs of letters, digits and punctuation,
// and counts each run higher than the common ones do (decision 0036 has the measurements).

/** Of an answer, unless the caller asks for more. */
export const ANSWER_TOKENS = 4_000;
/** Of the list of tools. */
export const TOOL_LIST_TOKENS = 3_000;

const PIECES = /([A-Za-z]+)|(\d+)|([^\sA-Za-z\d\u0080-\uffff]+)|([\u0080-\uffff]+)|(\s+)/g;
/** Common English words are one token each; identifiers and rare words are several of about this length. */
const LETTERS_PER_TOKEN = 6;
/** Most tokenizers group up to three digits. */
const DIGITS_PER_TOKEN = 2;
/** Pairs such as `":` and `],` are one token. */
const MARKS_PER_TOKEN = 2;
/** Accents split words of other languages into more tokens. */
const ACCENTED = /^[\u00c0-\u024f]+$/;
const TOKENS_PER_ACCENT = 2;
/** Of scripts other than Latin. */
const TOKENS_PER_SIGN = 1.25;

export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece, letters, digits, marks, others] of text.matchAll(PIECES)) {
    const { length } = piece;
    if (letters !== undefined) tokens += Math.ceil(length / LETTERS_PER_TOKEN);
    else if (digits !== undefined) tokens += Math.ceil(length / DIGITS_PER_TOKEN);
    else if (marks !== undefined) tokens += Math.ceil(length / MARKS_PER_TOKEN);
    else if (others !== undefined)
      tokens += Math.ceil(length * (ACCENTED.test(piece) ? TOKENS_PER_ACCENT : TOKENS_PER_SIGN));
    // A single space belongs to the next word.
    else tokens += piece === ' ' ? 0 : 1;
  }
  return tokens;
}

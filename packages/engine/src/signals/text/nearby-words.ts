// What a word means because of the words around it: whether `now` belongs to an order, and whether `stop` is one.
import type { Meaning } from './lexicon.ts';
import { hasMeaning } from './message-blocks.ts';
import { BLANK } from './notes-in-text.ts';
import type { Token } from './tokens.ts';

const DIRECTIONS: readonly Meaning[] = ['buy', 'sell'];
const ORDER_WORDS: readonly string[] = ['now', 'limit', 'at', 'link'];
const NUMBER_LINKS: readonly string[] = ['at', 'link', 'approximate', 'range'];

/** `now` and `limit` count beside a direction, an instrument, a price or the label of an entry, or alone on their line. */
export function isOrderWord(tokens: readonly Token[], at: number): boolean {
  const beside = (step: 1 | -1): boolean => {
    for (let next = at + step; ; next += step) {
      const token = tokens[next];
      if (token?.kind === 'mark') continue;
      if (token?.kind === 'instrument' || (token?.kind === 'number' && step === -1)) return true;
      if (token?.kind !== 'word') return false;
      if (token.meaning === 'entry' || hasMeaning([token], DIRECTIONS)) return true;
      if (!ORDER_WORDS.includes(token.meaning)) return false;
    }
  };
  return beside(-1) || beside(1) || lineAround(tokens, at).every(isPartOfOrder);
}

const isPartOfOrder = (token: Token): boolean =>
  token.kind === 'mark' || (token.kind === 'word' && ORDER_WORDS.includes(token.meaning));

function lineAround(tokens: readonly Token[], at: number): readonly Token[] {
  const isBreak = (index: number): boolean => tokens[index] === undefined || tokens[index].kind === 'break';
  let [from, to] = [at, at];
  while (!isBreak(from - 1)) from--;
  while (!isBreak(to)) to++;
  return tokens.slice(from, to);
}

/** `SELL STOP`, and `Stop Buy` or `Buy Gold Stop` if there is a stop loss besides. */
export function isStopOrder(tokens: readonly Token[], at: number): boolean {
  const beside = (step: 1 | -1): Token | undefined => {
    let next = at + step;
    for (let token = tokens[next]; token?.kind === 'mark' && /[-_/]/.test(token.text); token = tokens[next])
      next += step;
    return tokens[next];
  };
  const isDirection = (token: Token | undefined): boolean => token !== undefined && hasMeaning([token], DIRECTIONS);
  const [before, after] = [beside(-1), beside(1)];
  if (isDirection(before)) return true;
  const others = [...tokens.slice(0, at), ...tokens.slice(at + 1)];
  if (!hasMeaning(others, ['stop-loss', 'stop'])) return false;
  return isDirection(after) || (before?.kind === 'instrument' && hasMeaning(lineAround(tokens, at), DIRECTIONS));
}

/** Whether a number follows, with nothing between that needs explaining. */
export function isNumberAhead(tokens: readonly Token[], at: number): boolean {
  for (let next = at + 1; ; next++) {
    const token = tokens[next];
    if (token?.kind === 'number') return true;
    const isLink = token?.kind === 'mark' || (token?.kind === 'word' && NUMBER_LINKS.includes(token.meaning));
    if (!isLink) return false;
  }
}

/** Whether one of the labels follows on the same line, with only marks between. */
export function isLabelAhead(tokens: readonly Token[], at: number): boolean {
  for (let next = at + 1; ; next++) {
    const token = tokens[next];
    if (token?.kind === 'mark') continue;
    return token?.kind === 'word' && ['target', 'stop', 'stop-loss', 'entry'].includes(token.meaning);
  }
}

/** Whether a line with a number has only numbers, percents, distances and marks. */
export function isListLine(tokens: readonly Token[], at: number): boolean {
  const line = lineAround(tokens, at);
  const isOfList = (token: Token): boolean =>
    token.kind === 'number' ||
    token.kind === 'ordinal' ||
    (token.kind === 'mark' && token.text !== BLANK) ||
    hasMeaning([token], ['pips', 'points']);
  return line.every(isOfList) || !line.some(({ kind }) => kind === 'number');
}

/** The marks directly after a token, and what follows them. */
export function afterMarks(
  tokens: readonly Token[],
  at: number,
): { readonly marks: string; readonly next: Token | undefined } {
  let marks = '';
  let next = at + 1;
  for (let token = tokens[next]; token?.kind === 'mark'; token = tokens[++next]) marks += token.text;
  return { marks, next: tokens[next] };
}

// Divides a message into blocks, one for each signal. A line that names an instrument begins a block.
import type { MarketSymbol } from '../../market/instrument.ts';
import type { Place, Token } from './tokens.ts';
import { UnclearText } from './unclear.ts';

export interface MessageBlock {
  readonly symbol: MarketSymbol;
  /** Where the instrument is named. */
  readonly named: Place;
  readonly tokens: readonly Token[];
}

interface OpenBlock {
  symbol: MarketSymbol | null;
  named: Place | null;
  readonly tokens: Token[];
}

type InstrumentToken = Extract<Token, { readonly kind: 'instrument' }>;

export function messageBlocks(tokens: readonly Token[]): readonly MessageBlock[] {
  const blocks: OpenBlock[] = [{ symbol: null, named: null, tokens: [] }];
  for (const line of linesOf(tokens)) {
    const named = instrumentOf(line);
    const current = blocks.at(-1)!;
    if (named && current.symbol !== null && (named.symbol !== current.symbol || isNextSignal(current, line)))
      blocks.push({ symbol: named.symbol, named: named.token, tokens: [...line] });
    else {
      if (named && current.symbol === null) [current.symbol, current.named] = [named.symbol, named.token];
      current.tokens.push(...line);
    }
  }
  if (blocks[0]!.symbol === null)
    throw new UnclearText('no_instrument', 'No instrument is named. Write its symbol, for example XAUUSD.', null);
  return blocks.map(({ symbol, named, tokens }) => ({ symbol: symbol!, named: named!, tokens }));
}

/** Each with its break. */
export function linesOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const lines: Token[][] = [[]];
  for (const token of tokens) {
    lines.at(-1)!.push(token);
    if (token.kind === 'break') lines.push([]);
  }
  return lines;
}

function instrumentOf(line: readonly Token[]): { readonly symbol: MarketSymbol; readonly token: Token } | null {
  const tokens = line.filter((token): token is InstrumentToken => token.kind === 'instrument');
  for (const token of tokens) {
    const { symbols } = token.named;
    if (symbols.length === 0)
      throw new UnclearText('unknown_instrument', 'This service does not have this instrument.', token);
    if (symbols.length > 1)
      throw new UnclearText('ambiguous_instrument', `This could be ${symbols.join(' or ')}. Write the symbol.`, token);
  }
  const [first, ...others] = tokens;
  if (!first) return null;
  const symbol = first.named.symbols[0]!;
  const other = others.find(({ named }) => named.symbols[0] !== symbol);
  if (other)
    throw new UnclearText(
      'two_instruments',
      `${symbol} and ${other.named.symbols[0]} are in one line. Begin a new line for each signal.`,
      other,
    );
  return { symbol, token: first };
}

/** A line that names the same instrument begins another signal if both have a direction, and the first its levels. */
const isNextSignal = ({ tokens }: OpenBlock, line: readonly Token[]): boolean =>
  hasMeaning(line, ['buy', 'sell']) &&
  hasMeaning(tokens, ['buy', 'sell']) &&
  hasMeaning(tokens, ['stop', 'stop-loss']) &&
  hasMeaning(tokens, ['target']);

export const hasMeaning = (tokens: readonly Token[], meanings: readonly string[]): boolean =>
  tokens.some((token) => token.kind === 'word' && meanings.includes(token.meaning));

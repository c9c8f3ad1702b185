// The asset that a score is about. "Gold gains on weak dollar" is good for gold and bad for the dollar: a caller that names
// both gets the score for the asset it asks for.
import { OTHER, TARGET } from './markers.ts';

export interface SentimentTarget {
  /** Names of the asset: good news for them raises the score. For EURUSD: euro, EUR, EURUSD. */
  readonly up: readonly string[];
  /** Names of what the asset is priced in or moves against: good news for them lowers the score. For EURUSD: dollar, USD. */
  readonly down: readonly string[];
}

export interface MaskedText {
  readonly text: string;
  /** The text names only what moves against the asset, so its sentiment must be inverted. */
  readonly inverted: boolean;
}

interface Mask {
  readonly name: string;
  readonly marker: string;
}

/** Replaces the names in a normalised text with markers. */
export function maskNames(text: string, { up, down }: SentimentTarget): MaskedText {
  const masksAgainst = (marker: string): Mask[] => down.map((name) => ({ name, marker }));
  const masked = replaceNames(text, [...up.map((name) => ({ name, marker: TARGET })), ...masksAgainst(OTHER)]);
  if (masked === text || masked.includes(TARGET)) return { text: masked, inverted: false };
  return { text: replaceNames(text, masksAgainst(TARGET)), inverted: true };
}

const escapePattern = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Longer names first, because "gold etf" is not "gold". */
const replaceNames = (text: string, masks: readonly Mask[]): string =>
  masks
    .filter(({ name }) => name.trim() !== '')
    .sort((a, b) => b.name.length - a.name.length)
    .reduce(
      (masked, { name, marker }) => masked.replace(new RegExp(`(?<!\\w)${escapePattern(name)}(?!\\w)`, 'gi'), marker),
      text,
    );

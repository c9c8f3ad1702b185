// Whom a score is about. "Gold gains on weak dollar" is good for gold and bad for the dollar: a caller that names both gets
// the score of the one it asks for.
import { OTHER, TARGET } from './markers.ts';

export interface Target {
  /** Names of the instrument: what is good for them raises the score. For EURUSD: euro, EUR, EURUSD. */
  readonly up: readonly string[];
  /** Names of what it is priced in or moves against: what is good for them lowers it. For EURUSD: dollar, USD. */
  readonly down: readonly string[];
}

export interface Masked {
  readonly text: string;
  /** The text names only what moves against the instrument: its sentiment is to be turned round. */
  readonly turned: boolean;
}

interface Mask {
  readonly name: string;
  readonly marker: string;
}

/** Replaces the names in a normalised text by markers. */
export function maskNames(text: string, { up, down }: Target): Masked {
  const against = (marker: string): Mask[] => down.map((name) => ({ name, marker }));
  const masked = applied(text, [...up.map((name) => ({ name, marker: TARGET })), ...against(OTHER)]);
  if (masked === text || masked.includes(TARGET)) return { text: masked, turned: false };
  return { text: applied(text, against(TARGET)), turned: true };
}

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Longer names first: "gold etf" is not "gold". */
const applied = (text: string, masks: readonly Mask[]): string =>
  masks
    .filter(({ name }) => name.trim() !== '')
    .sort((a, b) => b.name.length - a.name.length)
    .reduce(
      (masked, { name, marker }) => masked.replace(new RegExp(`(?<!\\w)${escaped(name)}(?!\\w)`, 'gi'), marker),
      text,
    );

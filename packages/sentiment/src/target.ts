// Whom a score is about. "Gold gains on weak dollar" is good for gold and bad for the dollar: a caller that names both gets
// the score of the one it asks for.
import { OTHER, TARGET } from './markers.ts';

export interface Target {
  /** Names of the instrument: what is good for them raises the score. */
  readonly up: readonly string[];
  /** Names of other assets that the text may speak of, such as the currency it is quoted in. */
  readonly down: readonly string[];
}

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Replaces the names in a normalised text by markers, longer names first: "gold etf" is not "gold". */
export function maskNames(text: string, { up, down }: Target): string {
  const masks = [...up.map((name) => ({ name, marker: TARGET })), ...down.map((name) => ({ name, marker: OTHER }))];
  return masks
    .filter(({ name }) => name.trim() !== '')
    .sort((a, b) => b.name.length - a.name.length)
    .reduce(
      (masked, { name, marker }) => masked.replace(new RegExp(`(?<!\\w)${escaped(name)}(?!\\w)`, 'gi'), marker),
      text,
    );
}

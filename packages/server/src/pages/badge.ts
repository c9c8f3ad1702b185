// The badge of a publisher: a small SVG image for other sites, without scripts and style sheets.
import { plural } from '@tickwire/contract';
import type { PublicStanding } from '../signals/track-records.ts';

const HEIGHT = 22;
const MARGIN = 8;
/** Longer names are shortened. */
const MAX_NAME = 32;
/** Each has a contrast of at least 4.5 with white text. */
const COLOURS: Readonly<Record<PublicStanding['status'], string>> = {
  ranked: '#1a7f37',
  unproven: '#57606a',
  losing: '#b42318',
  inactive: '#57606a',
};

/** In one line, such as `ranked 2 · 143 decisions`. */
export function standingText({ status, rank, decisions }: PublicStanding): string {
  const place = rank === null ? status : `${status} ${rank}`;
  return `${place} · ${plural(decisions, 'decision')}`;
}

export function badgeSvg(standing: PublicStanding): string {
  const name = shortened(printable(standing.name));
  const text = standingText(standing);
  const [left, right] = [widthOf(name) + 2 * MARGIN, widthOf(text) + 2 * MARGIN];
  const label = Bun.escapeHTML(`${name} · ${text}`);
  const part = (x: number, content: string): string =>
    `<text x="${x + MARGIN}" y="15" textLength="${widthOf(content)}" lengthAdjust="spacingAndGlyphs">${Bun.escapeHTML(content)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${label}">`,
    `<title>${label}</title>`,
    `<clipPath id="frame"><rect width="${left + right}" height="${HEIGHT}" rx="4"/></clipPath>`,
    `<g clip-path="url(#frame)"><rect width="${left}" height="${HEIGHT}" fill="#24292f"/>`,
    `<rect x="${left}" width="${right}" height="${HEIGHT}" fill="${COLOURS[standing.status]}"/></g>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`,
    `${part(0, name)}${part(left, text)}</g></svg>`,
  ].join('');
}

/** Without characters that XML forbids, and those that change the direction of the text around them. */
export const printable = (text: string): string =>
  text.toWellFormed().replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu, '');

function shortened(name: string): string {
  const characters = [...name];
  return characters.length <= MAX_NAME ? name : `${characters.slice(0, MAX_NAME - 1).join('')}…`;
}

/** Estimated: images cannot measure their fonts. The text is fitted to this width. */
const widthOf = (text: string): number =>
  Math.ceil(
    [...text].reduce((sum, character) => sum + (character > '\u2fff' ? 11.5 : NARROW.test(character) ? 4 : 7), 0),
  );
const NARROW = /[ .,:;'|!()ijlrt·]/;

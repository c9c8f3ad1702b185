// The font of all pages: the Latin letters of Inter, which the terminal package depends on. Its path has the version of the
// package, so browsers may keep it.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Bytes } from '../http/conditional-response.ts';

const FILE = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
/** The style sheet of the terminal names it, too. */
export const FONT_PATH = '/assets/inter-latin-5.3.0.woff2';
export const FONT_FACE = `@font-face { font-family: "Inter Variable"; font-weight: 100 900; font-display: swap; src: url(${FONT_PATH}) format("woff2"); }`;
/** For the head of a page: the style sheet names the font late. */
export const FONT_LINK = `<link rel="preload" as="font" type="font/woff2" crossorigin href="${FONT_PATH}">`;

/** `terminal`: a file of the terminal package. */
export const readFont = async (terminal: string): Promise<Bytes> =>
  new Uint8Array(await readFile(createRequire(terminal).resolve(FILE)));

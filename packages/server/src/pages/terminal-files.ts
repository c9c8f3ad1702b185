// The files of the terminal package. In a checkout, each part is built from its sources when it is first needed; packages and
// executables contain them all in one file.
import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Bytes } from '../http/conditional-response.ts';
import { builtTerminal } from './built-terminal.ts';
import { readFont } from './page-font.ts';
import { type BuiltPage, buildPage, buildScript } from './terminal-build.ts';
import { readWebManifest, type WebManifest } from './web-manifest.ts';

export interface TerminalFiles {
  readonly terminal: BuiltPage;
  /** The public page of a publisher. */
  readonly publicRecord: BuiltPage;
  /** A script. */
  readonly pushWorker: string;
  /** The script of the pages of the API reference. */
  readonly referenceScript: string;
  readonly font: Bytes;
  readonly webManifest: WebManifest;
}

const BUILD: { readonly [Part in keyof TerminalFiles]: () => Promise<TerminalFiles[Part]> } = {
  terminal: () => buildPage(terminalEntry(), 'assets'),
  publicRecord: () =>
    buildPage(fileURLToPath(import.meta.resolve('@tickwire/terminal/public-record.html')), 'public/assets'),
  pushWorker: () => buildScript(fileURLToPath(import.meta.resolve('@tickwire/terminal/push-worker.ts'))),
  referenceScript: () => buildScript(fileURLToPath(import.meta.resolve('@tickwire/terminal/reference.ts'))),
  font: () => readFont(terminalEntry()),
  webManifest: () => readWebManifest(pathToFileURL(terminalEntry())),
};
const terminalEntry = (): string => fileURLToPath(import.meta.resolve('@tickwire/terminal/index.html'));

let unpacked: Promise<TerminalFiles> | undefined;

/** A part of the terminal, built or read. */
export async function terminalPart<Part extends keyof TerminalFiles>(part: Part): Promise<TerminalFiles[Part]> {
  if (builtTerminal === null) return BUILD[part]();
  unpacked ??= readFile(builtTerminal, 'utf8').then(unpackTerminal);
  return (await unpacked)[part];
}

/** Builds all parts into one text. */
export async function packTerminal(): Promise<string> {
  const parts = Object.entries(BUILD).map(async ([part, build]) => [part, await build()] as const);
  return JSON.stringify(Object.fromEntries(await Promise.all(parts)), (_, value) =>
    value instanceof Uint8Array ? { base64: value.toBase64() } : value,
  );
}

export const unpackTerminal = (text: string): TerminalFiles =>
  JSON.parse(text, (_, value) => (typeof value?.base64 === 'string' ? Uint8Array.fromBase64(value.base64) : value));

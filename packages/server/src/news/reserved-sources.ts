// Source names that pushed news must not use: those of the configured sources, and that of the simulated headlines.
import { plainText } from './curation/plain-text.ts';
import { SIM_SOURCE } from './sim/open-sim-news.ts';

export class ReservedSources {
  readonly #names: ReadonlySet<string>;

  constructor(configured: readonly string[]) {
    this.#names = new Set([SIM_SOURCE, ...configured].map(comparable));
  }

  has(name: string): boolean {
    return this.#names.has(comparable(name));
  }
}

/** Names that look alike compare equal: letter case, width and white space do not matter. */
const comparable = (name: string): string =>
  plainText(name).normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

// Source names that pushed items must not use: those of the configured sources, and that of the simulated ones.
import { skeletonsOf } from '../store/names/name-skeleton.ts';
import { plainText } from './plain-text.ts';
import { SIM_SOURCE } from './source.ts';

export class ReservedSources {
  readonly #names: ReadonlySet<string>;

  constructor(configured: readonly string[]) {
    this.#names = new Set([SIM_SOURCE, ...configured].flatMap(comparable));
  }

  has(name: string): boolean {
    return comparable(name).some((form) => this.#names.has(form));
  }
}

/** Names that look alike have a form in common: letter case, width, white space and alphabet do not matter. */
const comparable = (name: string): string[] => skeletonsOf(plainText(name));

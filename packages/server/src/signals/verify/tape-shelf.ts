// Where the ticks of a realm are looked up: a day that is sealed and intact from its file, any other from the tape.
import { existsSync } from 'node:fs';
import type { TapeSeal } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import { sealName } from './check-log.ts';
import { dayOfTape, hasTape, type ReadBlocks } from './day-of-tape.ts';
import { evidencePath, hashEvidence, readEvidence } from './evidence-file.ts';
import type { EvidenceLine } from './evidence-line.ts';
import type { Findings } from './finding.ts';

/** Why a day cannot be looked at. */
export type Missing = 'tape_gone' | 'evidence_damaged';

export interface ShelfOptions {
  /** Of the realm; null where there are no files. */
  readonly folder: string | null;
  readonly read: ReadBlocks;
  readonly findings: Findings;
}

export class TapeShelf {
  /** Sealed files that are what the log says, and those that are not there. */
  intact = 0;
  absent = 0;
  readonly #options: ShelfOptions;
  readonly #files = new Map<string, string>();
  readonly #damaged = new Set<string>();
  readonly #onTape = new Map<string, boolean>();

  constructor(options: ShelfOptions) {
    this.#options = options;
  }

  /** Holds every sealed file against the log. */
  async checkSeals(seals: Iterable<TapeSeal>, onProgress: () => void = () => {}): Promise<void> {
    for (const seal of seals) {
      await this.#checkSeal(seal);
      onProgress();
    }
  }

  async missing(symbol: MarketSymbol, day: string): Promise<Missing | null> {
    const name = sealName(symbol, day);
    if (this.#files.has(name) || (await this.#hasTape(symbol, day))) return null;
    return this.#damaged.has(name) ? 'evidence_damaged' : 'tape_gone';
  }

  /** A day's ticks in the order of seq, in batches. */
  async *day(symbol: MarketSymbol, day: string): AsyncGenerator<EvidenceLine[], void, undefined> {
    const { read } = this.#options;
    const file = this.#files.get(sealName(symbol, day));
    let last = -1;
    if (file !== undefined) {
      for await (const lines of readEvidence(file)) {
        last = lines.at(-1)!.seq;
        yield lines;
      }
    }
    // Ticks that came after the sealing have higher numbers, and blocks of their own.
    yield* dayOfTape(read, symbol, day, last);
  }

  async #checkSeal({ n, symbol, day, ticks, sha256 }: TapeSeal): Promise<void> {
    const { folder, findings } = this.#options;
    const path = folder && evidencePath(folder, day, symbol);
    if (path === null || !existsSync(path)) {
      this.absent++;
      return;
    }
    const wrong = await hashEvidence(path).then(
      (content) =>
        content.sha256 !== sha256
          ? `the content of ${path} has the hash ${content.sha256}, the log says ${sha256}`
          : content.ticks !== ticks
            ? `${path} holds ${content.ticks} ticks, the log says ${ticks}`
            : null,
      (error: Error) => `${path} cannot be read: ${error.message}`,
    );
    if (wrong === null) {
      this.intact++;
      this.#files.set(sealName(symbol, day), path);
    } else {
      findings.add({ n, code: 'sealed_file', message: wrong });
      this.#damaged.add(sealName(symbol, day));
    }
  }

  async #hasTape(symbol: MarketSymbol, day: string): Promise<boolean> {
    const name = sealName(symbol, day);
    const known = this.#onTape.get(name);
    if (known !== undefined) return known;
    const found = await hasTape(this.#options.read, symbol, day);
    this.#onTape.set(name, found);
    return found;
  }
}

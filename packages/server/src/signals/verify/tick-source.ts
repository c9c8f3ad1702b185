// Finds the ticks of a realm by day: in the sealed file if the day is sealed and intact, otherwise on the tape.
import type { TapeSeal } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import { sealName } from './check-log.ts';
import { EvidenceError, hashEvidence, readEvidence } from './evidence-file.ts';
import type { EvidenceLine } from './evidence-line.ts';
import type { Findings } from './findings.ts';
import type { TickFiles } from './tick-files.ts';

/** Why the ticks of a day are not available. */
export type MissingReason = 'tape_gone' | 'evidence_damaged';

export interface TickSourceOptions {
  readonly files: TickFiles;
  readonly findings: Findings;
}

export class TickSource {
  /** Number of sealed files that match the log, and of those that do not exist. */
  intact = 0;
  absent = 0;
  readonly #options: TickSourceOptions;
  readonly #sealed = new Map<string, string>();
  readonly #damaged = new Set<string>();
  readonly #onTape = new Map<string, boolean>();

  constructor(options: TickSourceOptions) {
    this.#options = options;
  }

  /** Checks every sealed file against the log. */
  async checkSeals(seals: Iterable<TapeSeal>, onProgress: (days: number) => void = () => {}): Promise<void> {
    let days = 0;
    for (const seal of seals) {
      await this.#checkSeal(seal);
      onProgress(++days);
    }
  }

  async missingReason(symbol: MarketSymbol, day: string): Promise<MissingReason | null> {
    const name = sealName(symbol, day);
    if (this.#sealed.has(name) || (await this.#hasTapeDay(symbol, day))) return null;
    return this.#damaged.has(name) ? 'evidence_damaged' : 'tape_gone';
  }

  /** The ticks of a day in order of seq, in batches. Ends with a finding if they are not in that order. */
  async *readDay(symbol: MarketSymbol, day: string): AsyncGenerator<EvidenceLine[], void, undefined> {
    const { files, findings } = this.#options;
    const name = sealName(symbol, day);
    const file = this.#sealed.get(name);
    let last = -1;
    try {
      if (file !== undefined) {
        for await (const lines of readEvidence(file)) {
          last = lastSeq(lines, last);
          yield lines;
        }
      }
      // Ticks that came after the sealing have a higher seq and separate blocks.
      for await (const lines of files.readTape(symbol, day, last)) {
        last = lastSeq(lines, last);
        yield lines;
      }
    } catch (error) {
      if (!(error instanceof EvidenceError)) throw error;
      findings.add({ n: null, code: 'sealed_file', message: `the ticks of ${name} ${error.message}` });
    }
  }

  async #checkSeal({ n, symbol, day, ticks, sha256 }: TapeSeal): Promise<void> {
    const { files, findings } = this.#options;
    const path = await files.sealed(symbol, day);
    if (path === null) {
      this.absent++;
      return;
    }
    const wrong = await hashEvidence(path).then(
      (content) =>
        content.sha256 !== sha256
          ? `the content of ${path} has the hash ${content.sha256}, the log has ${sha256}`
          : content.ticks !== ticks
            ? `${path} has ${content.ticks} ticks, the log has ${ticks}`
            : null,
      (error: Error) => `${path} cannot be read: ${error.message}`,
    );
    if (wrong === null) {
      this.intact++;
      this.#sealed.set(sealName(symbol, day), path);
    } else {
      findings.add({ n, code: 'sealed_file', message: wrong });
      this.#damaged.add(sealName(symbol, day));
    }
  }

  async #hasTapeDay(symbol: MarketSymbol, day: string): Promise<boolean> {
    const name = sealName(symbol, day);
    const known = this.#onTape.get(name);
    if (known !== undefined) return known;
    const found = await this.#options.files.hasTape(symbol, day);
    this.#onTape.set(name, found);
    return found;
  }
}

/** The seq of the last line. Throws unless the lines are ticks with rising numbers, all above `before`. */
function lastSeq(lines: readonly EvidenceLine[], before: number): number {
  let last = before;
  for (const line of lines) {
    if (!(Number.isSafeInteger(line?.seq) && Number.isSafeInteger(line.time) && line.seq > last))
      throw new EvidenceError(`are not in order of seq after ${last}`);
    last = line.seq;
  }
  return last;
}

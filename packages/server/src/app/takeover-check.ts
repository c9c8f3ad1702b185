// Whether an ingest node on standby could take over: it has the keys of the signal log and of destinations, and the schema of the
// database fits.
// Checked at the start and every CHECK_MS, because the first active node creates the log, and the database may be migrated.
// If the database cannot be reached, the last result stays valid.
import type { Config } from '../config/config.ts';
import { deliveryKeyProblem } from '../delivery/delivery-key-check.ts';
import { SchemaError } from '../errors/store-error.ts';
import type { Log } from '../ops/log.ts';
import { logKeyFile } from '../signals/log-key.ts';
import { logKeyProblem } from '../signals/log-key-check.ts';
import type { Store } from '../store/store.ts';

const CHECK_MS = 1_000;

export class TakeoverCheck {
  /** Failed checks by part, for `/readyz`. */
  problems: Readonly<Record<string, string>> = {};
  readonly #store: Pick<Store, 'signals' | 'market' | 'checkSchema'>;
  readonly #config: Config;
  readonly #keyFile: string;
  readonly #log: Log;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #stopped = false;

  constructor(config: Config, store: Pick<Store, 'signals' | 'market' | 'checkSchema'>, log: Log) {
    this.#store = store;
    this.#config = config;
    this.#keyFile = logKeyFile(config);
    this.#log = log;
  }

  get passed(): boolean {
    return Object.keys(this.problems).length === 0;
  }

  async start(): Promise<void> {
    await this.#check();
    if (!this.#stopped) this.#timer = setTimeout(() => void this.start(), CHECK_MS);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  async #check(): Promise<void> {
    let found: Record<string, string>;
    try {
      found = await this.#find();
    } catch {
      return;
    }
    if (JSON.stringify(found) === JSON.stringify(this.problems)) return;
    this.problems = found;
    if (this.passed) this.#log.info('this ingest node can take over again');
    else this.#log.error('this ingest node cannot take over', found);
  }

  async #find(): Promise<Record<string, string>> {
    try {
      await this.#store.checkSchema?.();
    } catch (error) {
      if (error instanceof SchemaError) return { schema: error.message };
      throw error;
    }
    const logKey = await logKeyProblem(this.#store.signals, this.#keyFile);
    const deliveryKey = await deliveryKeyProblem(this.#store.market, this.#config);
    return {
      ...(logKey !== null && { log_key: logKey }),
      ...(deliveryKey !== null && { delivery_key: deliveryKey }),
    };
  }
}

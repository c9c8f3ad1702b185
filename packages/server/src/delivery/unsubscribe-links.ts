// The links of this service that end the messages to a destination. The key of destinations signs them.
import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { readKey } from '../store/secret-box.ts';
import { deliveryKeyFile } from './destination-box.ts';
import { readUnsubscribeToken, unsubscribeToken, unsubscribeUrl } from './unsubscribe.ts';

export class UnsubscribeLinks {
  readonly #file: string;
  readonly #base: string | null;
  #key: Uint8Array | null = null;

  constructor(config: Pick<Config, 'data' | 'delivery_key' | 'public_url'>) {
    this.#file = deliveryKeyFile(config);
    this.#base = config.public_url;
  }

  /** Undefined if the service does not know its own address. */
  urlOf(destination: string): string | undefined {
    return this.#base === null ? undefined : unsubscribeUrl(this.#base, unsubscribeToken(this.#read(), destination));
  }

  /** The destination of a link; `null` if it is not one of ours. */
  destinationOf(token: string): string | null {
    return this.#key === null && !existsSync(this.#file) ? null : readUnsubscribeToken(this.#read(), token);
  }

  #read(): Uint8Array {
    this.#key ??= readKey(this.#file);
    return this.#key;
  }
}

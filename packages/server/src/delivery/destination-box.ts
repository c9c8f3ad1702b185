// Encrypts the addresses and secrets of destinations in the database. Each is bound to the id of its destination.
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { DELIVERY_KEY, type DestinationRow } from '../store/delivery-store.ts';
import { SecretBox } from '../store/secret-box.ts';

const CONTENTS = {
  one: 'the address of a destination',
  setting: 'delivery_key',
  remedy: 'delete the destinations and create them again',
};

export class DestinationBox {
  readonly #box: SecretBox;

  /** `file`: where the key is, or will be created. */
  constructor(file: string) {
    this.#box = new SecretBox(file, CONTENTS);
  }

  /** `address`: one of `DestinationAddresses`. */
  seal(id: string, address: unknown): string {
    return this.#box.seal(JSON.stringify(address), `destination ${id}`);
  }

  /** Throws a StoreError if the key is another one. */
  open({ id, sealed }: Pick<DestinationRow, 'id' | 'sealed'>): unknown {
    return JSON.parse(this.#box.open(sealed, `destination ${id}`));
  }
}

export const deliveryKeyFile = ({ data, delivery_key }: Pick<Config, 'data' | 'delivery_key'>): string =>
  delivery_key ?? join(data, DELIVERY_KEY);

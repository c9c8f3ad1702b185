// Stores the API key: with the tab by default, on the device only if the user chose so.

const NAME = 'tickwire.api-key';

type KeyStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export class KeyStore {
  constructor(
    readonly tab: KeyStorage,
    readonly device: KeyStorage,
  ) {}

  read(): string | null {
    return this.tab.getItem(NAME) ?? this.device.getItem(NAME);
  }

  keep(key: string, remember: boolean): void {
    this.forget();
    (remember ? this.device : this.tab).setItem(NAME, key);
  }

  forget(): void {
    this.tab.removeItem(NAME);
    this.device.removeItem(NAME);
  }
}

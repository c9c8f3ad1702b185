// Records in the browser's storage, as JSON. Anything may have written them, so every field has to be checked.

export type RecordStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** Empty if nothing is stored, or nothing that can be parsed. */
export function readRecord(storage: RecordStorage | undefined, name: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(storage?.getItem(name) ?? '{}'));
  } catch {
    return {};
  }
}

/** False if the browser stores nothing: the record then lasts until the page is closed. */
export function storeRecord(storage: RecordStorage | undefined, name: string, stored: object): boolean {
  try {
    storage?.setItem(name, JSON.stringify(stored));
    return storage !== undefined;
  } catch {
    return false;
  }
}

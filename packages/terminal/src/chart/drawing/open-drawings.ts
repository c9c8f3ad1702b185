// The drawings of the open instrument. Every change can be undone; what is not saved yet is saved when the page is left.
import type { ChartHost } from '../frame/chart-part.ts';
import { type Drawing, newId } from './drawing.ts';
import type { DrawingStore } from './drawing-store.ts';
import { storeOf } from './drawing-stores.ts';

/** A drawing without what is added when it is stored. */
export type NewDrawing = Omit<Drawing, 'id' | 'changed'>;

export class OpenDrawings {
  readonly #host: ChartHost;
  readonly #onChange: () => void;
  #store: DrawingStore | null = null;
  #end = new AbortController();

  /** `onChange`: by this chart, another one, or another device. */
  constructor(host: ChartHost, onChange: () => void) {
    this.#host = host;
    this.#onChange = onChange;
    const { signal } = host;
    window.addEventListener('focus', () => void this.#store?.load(), { signal });
    window.addEventListener('pagehide', () => void this.#store?.flush(), { signal });
    document.addEventListener('visibilitychange', () => void this.#store?.flush(), { signal });
    signal.addEventListener('abort', () => {
      this.#end.abort();
      void this.#store?.flush();
    });
  }

  /** '' until an instrument is opened. */
  get symbol(): string {
    return this.#store?.symbol ?? '';
  }

  /** The newest last. */
  get all(): readonly Drawing[] {
    return this.#store?.drawings ?? [];
  }

  find(id: string | null): Drawing | null {
    return this.#store?.find(id) ?? null;
  }

  open(symbol: string): void {
    this.#end.abort();
    void this.#store?.flush();
    this.#end = new AbortController();
    const store = storeOf(this.#host.services, symbol);
    this.#store = store;
    store.onChange(this.#end.signal, this.#onChange);
    void store.load();
  }

  /** `null` if there is no room for it; a message reports it. */
  add(drawing: NewDrawing): Drawing | null {
    const store = this.#store!;
    const added: Drawing = { ...drawing, id: newId(), changed: 0 };
    const problem = store.noRoomFor(added);
    if (problem !== '') {
      this.#host.services.notifier.show(problem);
      return null;
    }
    this.#host.undo.run({ redo: () => store.put(added), undo: () => store.remove(added.id) });
    return added;
  }

  change(before: Drawing, after: Drawing): void {
    const store = this.#store!;
    this.#host.undo.run({ redo: () => store.put(after), undo: () => store.put(before) });
  }

  remove(drawings: readonly Drawing[]): void {
    const store = this.#store!;
    const ids = drawings.map(({ id }) => id);
    this.#host.undo.run({ redo: () => store.remove(...ids), undo: () => store.put(...drawings) });
  }
}

// The last firings of the account, and how many of them nobody has looked at: a firing that was missed leaves a mark. What was read
// is stored with the account, so that other devices know it after their next load.
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { AlertFiring, CoreClient } from '@tickwire/client';
import type { AccountAlerts } from './account-alerts.ts';
import type { Notifier } from './notifier.ts';
import type { ServiceStatus } from './service-status.ts';
import type { StoredDocuments } from './stored-documents.ts';

/** Firings in the menu. */
export const SHOWN = 10;
/** Simulated and real markets have firings of their own. */
const NAMES = { live: 'read firings', simulated: 'read firings (simulated)' } as const;

export type LastFiring = Pick<AlertFiring, 'id' | 'symbol' | 'title' | 'note' | 'time' | 'fired_at' | 'late'>;

/** The newest firing that was read. */
interface Mark {
  readonly id: string;
  readonly at: string;
}

export interface UnreadFiringsServices {
  readonly client: Pick<CoreClient, 'firings'>;
  readonly documents: Pick<StoredDocuments, 'read' | 'write'>;
  readonly notifier: Pick<Notifier, 'reportError'>;
  readonly accountAlerts: Pick<AccountAlerts, 'subscribe' | 'loads'>;
  readonly status: Pick<ServiceStatus, 'simulated'>;
}

export class UnreadFirings {
  /** Newest first. */
  readonly last: ReadonlySignal<readonly LastFiring[]>;
  /** Of the last ones. */
  readonly unread: ReadonlySignal<readonly LastFiring[]>;
  readonly #services: UnreadFiringsServices;
  readonly #last = signal<readonly LastFiring[]>([]);
  /** `undefined` until it is loaded; `null` if nothing was read yet. */
  readonly #mark = signal<Mark | null | undefined>(undefined);
  /** Loads of the list of alerts that it has followed. */
  #loads = 0;

  /** Follows the alerts until `end` is aborted. */
  constructor(services: UnreadFiringsServices, end: AbortSignal) {
    this.#services = services;
    this.last = this.#last;
    this.unread = computed(() => unreadOf(this.#last.value, this.#mark.value));
    services.accountAlerts.subscribe(end, ({ firing }) => {
      if (firing) this.#add([firing]);
      else if (services.accountAlerts.loads !== this.#loads) {
        this.#loads = services.accountAlerts.loads;
        void this.#load(end);
      }
    });
  }

  get #name(): string {
    return NAMES[this.#services.status.simulated.peek() ? 'simulated' : 'live'];
  }

  /** All firings that are known were read. */
  read(): void {
    const { documents, notifier } = this.#services;
    const [newest] = this.#last.peek();
    if (newest === undefined || this.unread.peek().length === 0) return;
    const mark: Mark = { id: newest.id, at: newest.fired_at };
    this.#mark.value = mark;
    documents.write('settings', this.#name, mark).catch((error: unknown) => notifier.reportError(error, 'Alerts'));
  }

  #add(firings: readonly LastFiring[]): void {
    const known = new Map([...firings, ...this.#last.peek()].map((firing) => [firing.id, firing]));
    const newestFirst = [...known.values()].sort((one, other) => Date.parse(other.fired_at) - Date.parse(one.fired_at));
    this.#last.value = newestFirst.slice(0, SHOWN);
  }

  async #load(end: AbortSignal): Promise<void> {
    const { client, documents, notifier } = this.#services;
    try {
      const [{ items }, stored] = await Promise.all([
        client.firings({ limit: SHOWN }, { signal: end }),
        documents.read('settings', this.#name),
      ]);
      if (end.aborted) return;
      this.#add(items);
      const [mark, known] = [markOf(stored), this.#mark.peek()];
      // What was read here may be newer than the response: a firing that was read stays so.
      if (!known || (mark && Date.parse(mark.at) > Date.parse(known.at))) this.#mark.value = mark;
    } catch (error) {
      if (!end.aborted) notifier.reportError(error, 'Alerts');
    }
  }
}

function markOf(stored: Readonly<Record<string, unknown>> | null): Mark | null {
  const { id, at } = stored ?? {};
  return typeof id === 'string' && typeof at === 'string' ? { id, at } : null;
}

function unreadOf(last: readonly LastFiring[], mark: Mark | null | undefined): readonly LastFiring[] {
  if (mark === undefined) return [];
  if (mark === null) return last;
  const at = last.findIndex(({ id }) => id === mark.id);
  // Several firings may have the same time, so the place in the list counts while the firing is in it.
  return at >= 0 ? last.slice(0, at) : last.filter(({ fired_at }) => Date.parse(fired_at) > Date.parse(mark.at));
}

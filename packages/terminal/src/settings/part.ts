// A part of a settings page that is asked for over the network: waiting, failed, there, and there but no longer fresh are
// four different sights.
import { TickwireError } from '@tickwire/client';
import { box, button, make } from '../elements.ts';
import { explain } from '../forms/failure.ts';
import { repeat } from '../repeat.ts';
import type { SettingsContext } from './section.ts';

type Load = () => Promise<readonly Node[]>;

export class Part {
  readonly element = make('div', 'part');
  readonly #load: Load;
  readonly #onRefused: (error: TickwireError) => void;
  #asked = 0;
  /** As they were when it last worked. */
  #nodes: readonly Node[] | null = null;

  /** `onRefused`: the session has ended. */
  constructor(load: Load, onRefused: (error: TickwireError) => void) {
    this.#load = load;
    this.#onRefused = onRefused;
    this.element.append(make('p', 'empty-note', 'Loading…'));
    void this.refresh();
  }

  /** Asked for again and again while the section is open and somebody can see it. */
  static live(load: Load, { onSignedOut, signal }: SettingsContext, everyMs: number): Part {
    const part = new Part(load, onSignedOut);
    const round = async (): Promise<number> => {
      // Who is about to press something there does not want it exchanged below the finger.
      if (part.element.contains(document.activeElement)) return everyMs;
      return Math.max(everyMs, (await part.refresh()) * 1_000);
    };
    const rounds = repeat(round, everyMs);
    signal.addEventListener('abort', () => rounds.stop());
    return part;
  }

  /** Resolves to the seconds that the service wants to be left alone; mostly 0. */
  async refresh(): Promise<number> {
    const asked = ++this.#asked;
    try {
      const nodes = await this.#load();
      // A later question has a newer answer.
      if (asked === this.#asked) {
        this.#nodes = nodes;
        this.element.replaceChildren(...nodes);
      }
      return 0;
    } catch (error) {
      if (error instanceof TickwireError && error.status === 401) this.#onRefused(error);
      else if (asked === this.#asked) this.element.replaceChildren(this.#sorry(error), ...(this.#nodes ?? []));
      return error instanceof TickwireError ? (error.retryAfterSeconds ?? 0) : 0;
    }
  }

  #sorry(error: unknown): HTMLElement {
    const again = button('Try again', 'plain', () => void this.refresh());
    const old = this.#nodes === null ? '' : ' What stands below is from before.';
    return box('div', 'sorry', make('p', '', explain(error).general + old), again);
  }
}

// The destinations of a request, and how those that it created are taken back.
import type { CreatedDestination } from '@tickwire/contract';

export interface ResolvedDestinations {
  readonly ids: string[];
  /** Those that are new or were renewed. */
  readonly created: CreatedDestination[];
  /** Takes back what was created. */
  undo(): Promise<void>;
}

/** Secrets of new destinations are only in the response: without one, the destinations are taken back. */
export async function orUndo<T>(undo: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await undo().catch(() => {});
    throw error;
  }
}

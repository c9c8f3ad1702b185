// A list that is loaded page by page: the first page again and again, older ones when the user asks for them.
import { useSignal } from '@preact/signals';
import { type Remote, useRemote } from '../ui/remote.tsx';

interface Page<T> {
  readonly items: readonly T[];
}

export interface Pages<T> extends Remote<Page<T>> {
  /** All loaded items, newest first. */
  readonly all: readonly T[];
  /** `null` if there are no older ones, or they are being loaded. */
  readonly loadOlder: (() => Promise<void>) | null;
}

export function usePages<T extends { readonly id: string }>(
  load: (before: string | undefined, signal?: AbortSignal) => Promise<Page<T>>,
  pageSize: number,
  inputs: readonly unknown[] = [],
): Pages<T> {
  const key = inputs.join(' ');
  const older = useSignal<{ readonly key: string; readonly items: readonly T[]; readonly complete: boolean }>({
    key,
    items: [],
    complete: false,
  });
  const busy = useSignal(false);
  const remote = useRemote((signal) => load(undefined, signal), inputs);
  const first = remote.data?.items ?? [];
  const seen = new Set(first.map(({ id }) => id));
  const loaded = older.value.key === key ? older.value : { key, items: [], complete: false };
  const all = [...first, ...loaded.items.filter(({ id }) => !seen.has(id))];
  const complete = loaded.complete || first.length < pageSize;
  const loadOlder = async (): Promise<void> => {
    busy.value = true;
    try {
      const { items } = await load(all.at(-1)?.id);
      older.value = { key, items: [...all, ...items], complete: items.length < pageSize };
    } finally {
      busy.value = false;
    }
  };
  return { ...remote, all, loadOlder: complete || busy.value ? null : loadOlder };
}

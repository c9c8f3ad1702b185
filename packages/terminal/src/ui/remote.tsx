// Content that is loaded over the network: loading, failed, loaded, and loaded but stale look different.
import { useSignal } from '@preact/signals';
import { TickwireError } from '@tickwire/client';
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import { explain } from './failure.ts';
import { useAbortEffect } from './hooks.ts';
import { poll } from './poll.ts';
import { timeText } from './relative-time.ts';
import { SessionExpired } from './session-expired.ts';

export interface Remote<T> {
  /** The last loaded value; `null` before the first. */
  readonly data: T | null;
  /** When it was loaded, milliseconds since the epoch. */
  readonly loadedAt: number;
  /** Why the last request failed; `null` if it succeeded. */
  readonly error: unknown;
  /** Resolves to the seconds the service asks to wait before the next request, mostly 0. */
  readonly refresh: () => Promise<number>;
}

/** Loads on mount and whenever an input changes. The previous data stays visible until new data arrives. */
export function useRemote<T extends object>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[] = [],
): Remote<T> {
  const onExpired = useContext(SessionExpired);
  const state = useSignal<Omit<Remote<T>, 'refresh'>>({ data: null, loadedAt: 0, error: null });
  const loading = useRef<AbortController | null>(null);
  const refresh = async (): Promise<number> => {
    // Only the latest request counts.
    loading.current?.abort();
    loading.current = new AbortController();
    const { signal } = loading.current;
    try {
      const data = await load(signal);
      if (!signal.aborted) state.value = { data, loadedAt: Date.now(), error: null };
      return 0;
    } catch (error) {
      if (signal.aborted) return 0;
      if (error instanceof TickwireError && error.status === 401) onExpired(error);
      else state.value = { ...state.peek(), error };
      return error instanceof TickwireError ? (error.retryAfterSeconds ?? 0) : 0;
    }
  };
  useEffect(() => {
    void refresh();
    return () => loading.current?.abort();
  }, inputs);
  return { ...state.value, refresh };
}

export interface RemoteSectionProps<T> {
  readonly remote: Remote<T>;
  /** Reloads at this interval while the tab is visible. Default: never. */
  readonly everyMs?: number;
  readonly children: (data: T) => ComponentChildren;
}

export function RemoteSection<T extends object>({ remote, everyMs, children }: RemoteSectionProps<T>) {
  const element = useRef<HTMLDivElement>(null);
  const latest = useRef(remote);
  latest.current = remote;
  useAbortEffect(
    (signal) => {
      if (everyMs === undefined) return;
      const polling = poll(async () => {
        // Rows must not move while the user is about to press a button in them.
        if (element.current?.contains(document.activeElement)) return everyMs;
        return Math.max(everyMs, (await latest.current.refresh()) * 1_000);
      }, everyMs);
      signal.addEventListener('abort', () => polling.stop());
    },
    [everyMs],
  );
  const { data, loadedAt, error, refresh } = remote;
  return (
    <div class="part" ref={element}>
      {error !== null && (
        <div class="sorry">
          <p>{`${explain(error).general}${data === null ? '' : ` Showing the data loaded at ${timeText(loadedAt)}.`}`}</p>
          <Button onClick={() => void refresh()}>Try again</Button>
        </div>
      )}
      {data !== null ? children(data) : error === null && <p class="empty-note">Loading…</p>}
    </div>
  );
}

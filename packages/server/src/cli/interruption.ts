// Ends a command in order when a signal asks for it, such as that of Ctrl-C.

/** Exit status of a program that Ctrl-C has ended. */
export const INTERRUPTED = 130;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `signal` is aborted when the process is asked to end. Once it is disposed of, the process ends at once again. */
export function onInterruption(): { readonly signal: AbortSignal } & Disposable {
  const abort = new AbortController();
  const interrupt = (): void => abort.abort();
  for (const name of SIGNALS) process.on(name, interrupt);
  return {
    signal: abort.signal,
    [Symbol.dispose]() {
      for (const name of SIGNALS) process.off(name, interrupt);
    },
  };
}

/** Resolves when the process is asked to end, which does not end it. */
export const untilInterrupted = (): Promise<void> =>
  new Promise((resolve) => onInterruption().signal.addEventListener('abort', () => resolve()));

// Ends a run that is interrupted, without leaving processes or files behind.
import type { BenchProgress } from '../progress.ts';

const INTERRUPTED = 130;

/**
 * Ctrl-C arrives twice: from the terminal, and forwarded by the launcher of Bun. The listeners therefore stay: a signal without one
 * would end this process before it has cleaned up.
 */
export function cleanUpOnSignal(progress: BenchProgress, cleanUp: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      progress.say('stopping all processes');
      cleanUp().finally(() => process.exit(INTERRUPTED));
    });
  }
}

// Open files of this process: connections, files and pipes. The runtime raises the soft limit to the hard one at its start.
import { readdirSync, statSync } from 'node:fs';

/** What a service needs beside its streams: requests, files of the store, outgoing connections. */
const BESIDE_STREAMS = 1_000;
const FOLDER = process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd';

/** `null` where the system does not count them. */
export function openFiles(): number | null {
  try {
    // Since Linux 6.2, the size of the folder is the count. Listing it opens one more.
    return (process.platform === 'linux' && statSync(FOLDER).size) || readdirSync(FOLDER).length - 1;
  } catch {
    return null;
  }
}

/** Infinity if there is none. */
export function openFilesLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}

/** Why the limit does not fit the settings, and what to do; `null` if it does. */
export function lowOpenFilesLimit(maxConnections: number, limit = openFilesLimit()): string | null {
  const needed = maxConnections + BESIDE_STREAMS;
  if (limit >= needed) return null;
  return `the limit of open files is ${limit}, but TICKWIRE_MAX_CONNECTIONS is ${maxConnections}: raise the limit (ulimit -n, LimitNOFILE) to ${needed} or more, or lower the setting`;
}

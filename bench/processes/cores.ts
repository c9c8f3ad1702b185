// Chooses a core for the server and one for the load, and the command prefix that pins a process to it.
import { readFileSync } from 'node:fs';

export interface Cores {
  readonly server: readonly string[];
  readonly load: readonly string[];
  /** Core of the server and of the load; `null` if processes are not pinned. */
  readonly serverCore: number | null;
  readonly loadCore: number | null;
  readonly note: string;
}

export function findCores(): Cores {
  const cores = allowedCores();
  if (!Bun.which('taskset')) {
    return unpinned('taskset is not here, server and load may share a core');
  }
  if (cores.length < 2) {
    return unpinned('there is one core, server and load share it');
  }
  const [server, load] = cores as [number, number];
  return {
    server: ['taskset', '-c', String(server)],
    load: ['taskset', '-c', String(load)],
    serverCore: server,
    loadCore: load,
    note: `server on core ${server}, load on core ${load} (taskset)`,
  };
}

const unpinned = (why: string): Cores => ({
  server: [],
  load: [],
  serverCore: null,
  loadCore: null,
  note: `NOT PINNED: ${why}`,
});

function allowedCores(): number[] {
  try {
    const list = /^Cpus_allowed_list:\s*(.+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
    return list.split(',').flatMap((part) => {
      const [first = 0, last = first] = part.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
  } catch {
    return [0];
  }
}

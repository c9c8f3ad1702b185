// CPU time and resident memory of a process, from /proc.
import { readFileSync } from 'node:fs';

/** /proc reports CPU time in hundredths of a second, whatever the tick rate of the kernel. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4_096;

/** User and system time of all threads in seconds; `NaN` without /proc. */
export function cpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command in parentheses can contain spaces, so count fields from its end. utime and stime are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

/** Seconds a core was busy, or was taken away by the host, or the sum of all cores; `NaN` if unknown. */
export function coreSeconds(core: number | 'all' | null): number {
  try {
    const line = new RegExp(`^cpu${core === 'all' ? '' : core} +(.+)$`, 'm').exec(
      readFileSync('/proc/stat', 'utf8'),
    )![1]!;
    const [user, nice, system, , , , , stolen = 0] = line.split(' ').map(Number);
    return (user! + nice! + system! + stolen) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

export function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
  } catch {
    return Number.NaN;
  }
}

/** File descriptors in addition to those of the readers. */
const OTHER_FILES = 200;

/** Connections that a child process can open. Bun raises the soft limit of open files to the hard limit. */
export const mostConnections = (): number =>
  Number(/^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]) - OTHER_FILES;

/** Throws if a child process cannot open so many connections. */
export function checkOpenFiles(connections: number): void {
  const most = mostConnections();
  if (connections > most)
    throw new Error(
      `${connections} connections need more open files than allowed, which suffice for ${most}: raise ulimit -n`,
    );
}

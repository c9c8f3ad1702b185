// What a process has used, from /proc: CPU time of all its threads, and resident memory.
import { readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second, whatever the kernel's own tick is. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4_096;

/** User and system time in seconds; NaN where there is no /proc. */
export function cpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command in parentheses may hold spaces: fields are counted from behind it. utime and stime are 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

/** Time a core spent on programs of any kind, or was kept from by its host, in seconds; NaN where that is not known. */
export function coreSeconds(core: number | null): number {
  try {
    const line = new RegExp(`^cpu${core} (.+)$`, 'm').exec(readFileSync('/proc/stat', 'utf8'))![1]!;
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

/** Files a process started from here may have open, its sockets among them. Bun raises the soft limit to the hard one. */
export function openFileLimit(): number {
  try {
    return Number(/^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))![1]);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

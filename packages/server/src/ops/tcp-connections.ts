// Counts the connections that clients have to ports of this machine, as Linux lists them. The runtime tells nobody of those
// without a complete request.
import { readFile } from 'node:fs/promises';
import { pauses } from './pauses.ts';

const LISTS = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
/** The local port of a connection that is open here: established (01), or ended by the client alone (08). */
const OPEN = /^ *\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]+:[\dA-F]{4} 0[18] /gm;

/** `null` where the system does not list them. */
export async function connectionsTo(ports: ReadonlySet<number>): Promise<number | null> {
  const pause = pauses();
  let count = 0;
  try {
    for (const list of LISTS)
      for (const [, port] of (await readFile(list, 'latin1')).matchAll(OPEN)) {
        if (ports.has(Number.parseInt(port!, 16))) count++;
        await pause();
      }
    return count;
  } catch {
    return null;
  }
}

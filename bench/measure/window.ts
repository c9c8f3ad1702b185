// What the server and the load used of the machine between two moments, taken by the load itself so that the window is the
// one in which it counted.
import { coreSeconds, cpuSeconds } from './process-usage.ts';

export interface ServerPlace {
  readonly serverPid: number;
  /** null where nothing is pinned. */
  readonly serverCore: number | null;
  readonly loadCore: number | null;
}

export interface WindowUsage {
  readonly seconds: number;
  readonly serverCpu: number;
  readonly loadCpu: number;
  /** What other programs took of the server's core and of the load's; null where that is not known. */
  readonly othersCpu: number | null;
  readonly loadOthersCpu: number | null;
}

/** Opens a window; the function returned closes it. */
export function openWindow({ serverPid, serverCore, loadCore }: ServerPlace): () => WindowUsage {
  const server = cpuSeconds(serverPid);
  const [serverBefore, loadBefore] = [coreSeconds(serverCore), coreSeconds(loadCore)];
  const own = process.cpuUsage();
  const started = performance.now();
  return () => {
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(own);
    const serverCpu = cpuSeconds(serverPid) - server;
    const loadCpu = (user + system) / 1e6;
    return {
      seconds,
      serverCpu,
      loadCpu,
      othersCpu: known(coreSeconds(serverCore) - serverBefore - serverCpu),
      loadOthersCpu: known(coreSeconds(loadCore) - loadBefore - loadCpu),
    };
  };
}

/** Hundredths of seconds that were counted here and not yet there can make it negative. */
const known = (seconds: number): number | null => (Number.isNaN(seconds) ? null : Math.max(0, seconds));

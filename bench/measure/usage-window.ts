// CPU usage of server and load over a period. The load measures it, so that the period is the one in which it counts.
import { coreSeconds, cpuSeconds } from './process-usage.ts';

export interface ServerPlace {
  readonly serverPid: number;
  /** `null` if processes are not pinned. */
  readonly serverCore: number | null;
  readonly loadCore: number | null;
}

export interface WindowUsage {
  readonly seconds: number;
  readonly serverCpu: number;
  readonly loadCpu: number;
  /** Fraction of the server's and of the load's core used by other programs; `null` if unknown. */
  readonly othersCpu: number | null;
  readonly loadOthersCpu: number | null;
}

/** Starts a period; the returned function ends it. */
export function startUsageWindow({ serverPid, serverCore, loadCore }: ServerPlace): () => WindowUsage {
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

/** Never negative, although the two counters are not updated at the same time. */
const known = (seconds: number): number | null => (Number.isNaN(seconds) ? null : Math.max(0, seconds));

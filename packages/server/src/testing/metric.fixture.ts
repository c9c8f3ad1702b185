// One number of a service's `/metrics`, and waiting for it to be what it should be.
import { eventually } from './process.fixture.ts';
import type { RunningService } from './service.fixture.ts';

/** By its name, and its labels where it has some: `name{label="value"}`. */
export async function metric({ app }: RunningService, name: string): Promise<number> {
  const text = await (await fetch(`${app.metricsUrl}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  if (line === undefined) throw new Error(`no such metric: ${name}`);
  return Number(line.slice(name.length));
}

/** Waits until the service has this many open connections. */
export const connected = (service: RunningService, count: number): Promise<void> =>
  eventually(`${count} connections`, async () => (await metric(service, 'tickwire_ws_connections')) === count);

// Reads a single value from `/metrics`, and waits for a number of connections.
import { eventually } from './process.fixture.ts';
import type { RunningService } from './service.fixture.ts';

/** By name, with labels if it has any: `name{label="value"}`. */
export async function metric({ app }: RunningService, name: string): Promise<number> {
  const text = await (await fetch(`${app.metricsUrl}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  if (line === undefined) throw new Error(`no such metric: ${name}`);
  return Number(line.slice(name.length));
}

/** Waits until the service has this many open connections. */
export const connected = (service: RunningService, count: number): Promise<void> =>
  eventually(`${count} connections`, async () => (await metric(service, 'tickwire_ws_connections')) === count);

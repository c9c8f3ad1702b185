// The service that a command calls over REST: TICKWIRE_URL and TICKWIRE_API_KEY, or the local service by its configured port.
import { apiKey, type Config, serviceUrl } from '../config/config.ts';
import { UsageError } from './arguments.ts';
import { httpUrl } from './flag-values.ts';

export interface ServiceAddress {
  readonly url: string;
  readonly key: string;
}

/** `why` ends the message about a missing key. */
export function serviceAddress(config: () => Config, why: string): ServiceAddress {
  const key = apiKey();
  if (key === null) throw new UsageError(`TICKWIRE_API_KEY is missing; ${why}`);
  return { url: httpUrl('TICKWIRE_URL', serviceUrl() ?? localUrl(config())), key };
}

function localUrl({ host, port, tls_cert }: Config): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `${tls_cert === null ? 'http' : 'https'}://${name}:${port}`;
}

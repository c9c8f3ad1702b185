// Address and key of the environment, which the clients of both languages, the examples and `tickwire mcp` read.
import type { ClientOptions } from './client-options.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';

type Environment = Readonly<Partial<Record<'TICKWIRE_URL' | 'TICKWIRE_API_KEY', string>>>;

/** Node, Bun and Deno. */
interface Runtime {
  readonly process: { readonly env: Environment };
}

function readEnvironment(): Environment {
  try {
    const { TICKWIRE_URL = '', TICKWIRE_API_KEY = '' } = (globalThis as unknown as Runtime).process.env;
    return { TICKWIRE_URL, TICKWIRE_API_KEY };
  } catch {
    // A browser has none, and Deno may not be allowed to read it.
    return {};
  }
}

/** The options with the address and the key that they leave out. The key is only for the service of the environment: no other gets it. */
export function withEnvironment(
  options: ClientOptions,
  { TICKWIRE_URL = '', TICKWIRE_API_KEY = '' }: Environment = readEnvironment(),
): ClientOptions & { readonly url: string } {
  // What is not an object is refused later.
  if (typeof options !== 'object' || options === null) return options;
  const home = TICKWIRE_URL.trim() || DEFAULT_URL;
  const url = options.url ?? home;
  const isHome = url === home || (originOf(url) !== null && originOf(url) === originOf(home));
  const apiKey = options.apiKey ?? (isHome ? TICKWIRE_API_KEY.trim() || undefined : undefined);
  return { ...options, url, ...(apiKey !== undefined && { apiKey }) };
}

/** `null` if it is not an address, which is refused later. */
function originOf(url: string): string | null {
  try {
    return new URL(url).origin;
  } catch {
    return null;
  }
}

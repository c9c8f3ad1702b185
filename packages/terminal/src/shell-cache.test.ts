import { expect, test } from 'bun:test';
import { cacheShell, type FetchEvent, installShell, type ShellScope } from './shell-cache.ts';

const ORIGIN = 'http://localhost';

/** A scope with caches in memory and a service whose files are given by path; `null` for a service that is down. */
function scopeWith() {
  const stores = new Map<string, Map<string, Response>>();
  const asked: string[] = [];
  let files: Readonly<Record<string, string | number>> | null = null;
  let listener: ((event: FetchEvent) => void) | null = null;
  const pathOf = (request: Request | string): string =>
    typeof request === 'string' ? request : new URL(request.url).pathname;
  const scope: ShellScope = {
    location: { origin: ORIGIN },
    caches: {
      open: async (name) => {
        const store = stores.get(name) ?? new Map<string, Response>();
        stores.set(name, store);
        return {
          match: async (path) => store.get(path)?.clone(),
          put: async (path, response) => void store.set(path, response),
        };
      },
      keys: async () => [...stores.keys()],
      delete: async (name) => stores.delete(name),
      match: async (path) =>
        [...stores.values()]
          .map((store) => store.get(path))
          .find(Boolean)
          ?.clone(),
    },
    fetch: async (request) => {
      const path = pathOf(request);
      asked.push(path);
      if (files === null) throw new TypeError('Failed to fetch');
      const file = files[path] ?? (path.startsWith('/icons/') || path.startsWith('/manifest') ? 'fixed' : 404);
      return typeof file === 'number' ? new Response('', { status: file }) : new Response(file);
    },
    addEventListener: (_, added) => {
      listener = added;
    },
  };
  cacheShell(scope);
  /** The text of the response, or `null` if the request is left to the browser. */
  const open = async (path: string, mode = 'navigate', method = 'GET'): Promise<string | null> => {
    let response: Promise<Response> | null = null;
    const work: Promise<unknown>[] = [];
    listener!({
      request: { method, mode, url: new URL(path, ORIGIN).href } as Request,
      respondWith: (given) => {
        response = given;
      },
      waitUntil: (each) => work.push(each),
    });
    const text = response === null ? null : await (await (response as Promise<Response>)).text();
    await Promise.all(work);
    return text;
  };
  return {
    scope,
    stores,
    asked,
    open,
    serve(given: typeof files) {
      files = given;
    },
  };
}

const ONE = { '/': 'one <script src="/assets/a-1.js">', '/markets': 'one <script src="/assets/a-1.js">' };
const ONE_FILES = { ...ONE, '/assets/a-1.js': 'import("/assets/later-1.js")', '/assets/later-1.js': 'later' };

test('keeps the page with every file that it or its scripts name', async () => {
  const { scope, stores, serve } = scopeWith();
  serve(ONE_FILES);
  await installShell(scope);
  expect(stores.size).toBe(1);
  const [kept] = stores.values();
  expect([...kept!.keys()]).toEqual(expect.arrayContaining(['/', '/assets/a-1.js', '/assets/later-1.js']));
});

test('opens any page of the terminal without a connection, and files from the cache', async () => {
  const { scope, serve, open, asked } = scopeWith();
  serve(ONE_FILES);
  await installShell(scope);
  serve(null);
  expect(await open('/signals/sig_1?x=1')).toStartWith('one');
  asked.length = 0;
  expect(await open('/assets/a-1.js', 'no-cors')).toContain('later-1');
  expect(asked).toEqual([]);
});

test('shows a new page at once, and forgets the one before', async () => {
  const { scope, stores, serve, open } = scopeWith();
  serve(ONE_FILES);
  await installShell(scope);
  serve({ '/': 'two', '/markets': 'two' });
  expect(await open('/markets')).toBe('two');
  expect(stores.size).toBe(1);
  serve(null);
  expect(await open('/')).toBe('two');
});

test('a page whose files are incomplete replaces nothing', async () => {
  const { scope, serve, open } = scopeWith();
  serve(ONE_FILES);
  await installShell(scope);
  serve({ '/': 'two <script src="/assets/gone.js">' });
  expect(await open('/')).toStartWith('two');
  serve(null);
  expect(await open('/')).toStartWith('one');
});

test('takes a proxy without its service for a lost connection, but no other error', async () => {
  const { scope, serve, open } = scopeWith();
  serve(ONE_FILES);
  await installShell(scope);
  serve({ '/': 503 });
  expect(await open('/')).toStartWith('one');
  serve({ '/': 404 });
  expect(await open('/')).toBe('');
});

test('never touches the interface, other pages, other origins or changes', async () => {
  const { scope, serve, open, stores } = scopeWith();
  serve({ ...ONE_FILES, '/api/account': 'secret', '/docs': 'docs' });
  await installShell(scope);
  expect(await open('/api/account', 'cors')).toBeNull();
  expect(await open('/api/account')).toBeNull();
  expect(await open('/docs')).toBeNull();
  expect(await open('/p/Somebody')).toBeNull();
  expect(await open('/sign-in')).toBeNull();
  expect(await open('/', 'navigate', 'POST')).toBeNull();
  expect(await open('https://elsewhere.example/assets/a-1.js', 'no-cors')).toBeNull();
  expect([...stores.values()].flatMap((store) => [...store.keys()]).some((path) => path.startsWith('/api'))).toBe(
    false,
  );
});

test('without a kept page the error of the network stays', async () => {
  const { serve, open } = scopeWith();
  serve(null);
  expect(open('/')).rejects.toThrow('Failed to fetch');
});

// A site of somebody else: pages without any policy, at another port of the same host (the same site to a browser, which
// sends strict cookies along) and at another host name (another site).
import type { Server } from 'bun';

const PAGE = '<!doctype html><title>A nice page</title><h1>You have won</h1><iframe name="hidden"></iframe>';

export class Attacker {
  readonly #server: Server<undefined>;

  constructor() {
    this.#server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response(PAGE, { headers: { 'Content-Type': 'text/html' } }),
    });
  }

  /** Another origin of the same site. */
  get sameSite(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** Another site. */
  get crossSite(): string {
    return `http://localhost:${this.#server.port}`;
  }

  stop(): void {
    this.#server.stop(true);
  }
}

/** What a page of the attacker's runs: says what it could get hold of. */
export async function callWithCookies(given: { url: string; method: string; body?: string }): Promise<string> {
  const { url, method, body } = given;
  const said: string[] = [];
  for (const mode of ['cors', 'no-cors'] as const) {
    try {
      const answer = await fetch(url, { method, mode, credentials: 'include', ...(body !== undefined && { body }) });
      said.push(`${mode}: ${answer.type} ${answer.status} ${(await answer.text()).slice(0, 80)}`);
    } catch (error) {
      said.push(`${mode}: ${(error as Error).name}`);
    }
  }
  return said.join(', ');
}

/** A form needs no permission to be sent anywhere; with text/plain its body reads as JSON. */
export async function sendForm(given: { url: string; body: string }): Promise<void> {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: given.url, enctype: 'text/plain', target: 'hidden' });
  const input = document.createElement('input');
  // name=value: the equals sign ends up inside a string.
  const at = given.body.length - 2;
  Object.assign(input, { name: `${given.body.slice(0, at)},"x":"`, value: '"}' });
  form.append(input);
  document.body.append(form);
  const frame = document.querySelector('iframe')!;
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  form.submit();
  await loaded;
}

/** Subscribes on a WebSocket that the browser opened with whatever cookies it sends; tells the first two messages. */
export async function listenWithCookies(given: { url: string; ask: object }): Promise<string[]> {
  const socket = new WebSocket(given.url);
  const heard: string[] = [];
  await new Promise<void>((resolve) => {
    socket.onopen = () => socket.send(JSON.stringify(given.ask));
    socket.onmessage = ({ data }) => {
      if (heard.push(String(data)) === 2) resolve();
    };
    socket.onclose = ({ code }) => {
      heard.push(`closed with ${code}`);
      resolve();
    };
    // Ticks of the simulated markets come many times a second to whoever may have them.
    setTimeout(resolve, 2_000);
  });
  socket.close();
  return heard;
}

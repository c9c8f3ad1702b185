// A malicious site: pages without any policy, on another port of the same host (the same site for a browser, which sends strict
// cookies) and on another host name (a different site).
import type { Server } from 'bun';

const PAGE = '<!doctype html><title>A nice page</title><h1>You have won</h1><iframe name="hidden"></iframe>';

export class AttackerSite {
  readonly #server: Server<undefined>;

  constructor() {
    this.#server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response(PAGE, { headers: { 'Content-Type': 'text/html' } }),
    });
  }

  /** A different origin of the same site. */
  get sameSite(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** A different site. */
  get crossSite(): string {
    return `http://localhost:${this.#server.port}`;
  }

  stop(): void {
    this.#server.stop(true);
  }
}

/** Runs in a page of the attacker; returns what it could read. */
export async function callWithCookies(given: { url: string; method: string; body?: string }): Promise<string> {
  const { url, method, body } = given;
  const said: string[] = [];
  for (const mode of ['cors', 'no-cors'] as const) {
    try {
      const response = await fetch(url, { method, mode, credentials: 'include', ...(body !== undefined && { body }) });
      said.push(`${mode}: ${response.type} ${response.status} ${(await response.text()).slice(0, 80)}`);
    } catch (error) {
      said.push(`${mode}: ${(error as Error).name}`);
    }
  }
  return said.join(', ');
}

/** A form can be sent anywhere without permission; with text/plain its body can be valid JSON. */
export async function sendForm(given: { url: string; body: string }): Promise<void> {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: given.url, enctype: 'text/plain', target: 'hidden' });
  const input = document.createElement('input');
  // The equals sign of name=value ends up inside a string.
  const at = given.body.length - 2;
  Object.assign(input, { name: `${given.body.slice(0, at)},"x":"`, value: '"}' });
  form.append(input);
  document.body.append(form);
  const frame = document.querySelector('iframe')!;
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  form.submit();
  await loaded;
}

/** Subscribes on a WebSocket with the cookies that the browser sends; returns the first two messages. */
export async function listenWithCookies(given: { url: string; ask: object; waitMs: number }): Promise<string[]> {
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
    // An authorised subscriber receives ticks of the simulated markets many times a second.
    setTimeout(resolve, given.waitMs);
  });
  socket.close();
  return heard;
}

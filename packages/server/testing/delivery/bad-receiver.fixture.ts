// A webhook receiver on a real socket that fails, hangs, answers late and loses connections, and remembers every request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';

const SETTLE_MS = 30_000;

export type Manner = 'accept' | 'fail' | 'hang' | 'late' | 'too_late' | 'drop' | 'drop_unread';

export interface ReceivedRequest {
  /** `webhook-id`. */
  readonly id: string;
  readonly n: number;
  readonly at: number;
  /** Whether the status 200 was sent while the sender waited for it. */
  accepted: boolean;
}

export class BadReceiver {
  readonly secret = `whsec_${Buffer.from(crypto.randomUUID()).toString('base64')}`;
  readonly requests: ReceivedRequest[] = [];
  /** Chooses how the next request is treated. */
  manner: () => Manner = () => 'accept';
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((request, response) => void this.#receive(request, response));

  /** Everything that senders have sent has arrived, and they have closed their connections. */
  async settle(): Promise<void> {
    const deadline = Date.now() + SETTLE_MS;
    while (this.#sockets.size > 0 && Date.now() < deadline) await Bun.sleep(5);
  }

  async listen(): Promise<string> {
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const manner = this.manner();
    const cut = (): void => {
      request.socket.destroy();
    };
    if (manner === 'drop_unread') return cut();
    let text = '';
    try {
      for await (const chunk of request) text += chunk;
    } catch {
      // The sender was killed.
      return;
    }
    const headers = request.headers as Record<string, string>;
    const body = new Webhook(this.secret).verify(text, headers) as { data: { n: number } };
    const received = { id: headers['webhook-id']!, n: body.data.n, at: Date.now(), accepted: false };
    this.requests.push(received);
    if (manner === 'hang') return;
    if (manner === 'drop') return cut();
    if (manner === 'fail') {
      response.writeHead(500).end();
      return;
    }
    if (manner === 'late') await Bun.sleep(60);
    if (manner === 'too_late') await Bun.sleep(800);
    received.accepted = manner !== 'too_late';
    response.writeHead(200).end();
  }
}

// One WebSocket reader on a raw socket: upgrades, subscribes, then only counts.
import type { Socket } from 'bun';
import { FrameCounter, type OnTick } from './frame-counter.ts';

const HEAD_END = '\r\n\r\n';

export interface ReaderOptions {
  readonly port: number;
  readonly path: string;
  readonly key: string;
  /** The text that subscribes. */
  readonly subscribe: string;
  readonly onTick: OnTick | null;
  readonly onLost: (reason: string) => void;
}

export interface Reader {
  readonly counter: FrameCounter;
  close(): void;
}

/** Resolves when the server has answered the subscription. */
export async function openReader(options: ReaderOptions): Promise<Reader> {
  const { port, path, key, subscribe, onTick, onLost } = options;
  const counter = new FrameCounter(onTick);
  const subscribed = Promise.withResolvers<void>();
  let head: Buffer | null = Buffer.alloc(0);
  let open = true;
  const lost = (reason: string): void => {
    if (!open) return;
    open = false;
    subscribed.reject(new Error(reason));
    onLost(reason);
  };
  const upgrade = (socket: Socket, chunk: Buffer): void => {
    head = Buffer.concat([head!, chunk]);
    const end = head.indexOf(HEAD_END);
    if (end < 0) return;
    const status = head.toString('latin1', 0, head.indexOf('\r\n'));
    const rest = head.subarray(end + HEAD_END.length);
    head = null;
    if (!status.includes(' 101 ')) {
      lost(`the upgrade was answered ${status}`);
      return;
    }
    if (rest.length > 0) counter.read(Buffer.from(rest));
    socket.write(maskedText(subscribe));
  };
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data(self, chunk) {
        if (head) upgrade(self, chunk);
        else counter.read(chunk);
        if (counter.notices > 0) subscribed.resolve();
      },
      close: () => lost('the server closed a connection'),
      error: (_, error) => lost(error.message),
    },
  });
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.from('benchmark-reader').toString('base64')}\r\n\r\n`,
  );
  await subscribed.promise;
  return {
    counter,
    close() {
      open = false;
      socket.terminate();
    },
  };
}

/** A text frame as clients must send it. A mask of zeroes is a mask, and leaves the text as it is. */
function maskedText(text: string): Buffer {
  const payload = Buffer.from(text);
  const header =
    payload.length < 126
      ? [0x81, 0x80 | payload.length]
      : [0x81, 0x80 | 126, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([...header, 0, 0, 0, 0]), payload]);
}

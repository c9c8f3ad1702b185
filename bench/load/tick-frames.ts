// Pushes ticks over `/ws/ingest`, one per frame, as fast as the service reads them, and counts the answers. In a separate process
// that can be pinned to a core: tick-frames.ts PORT KEY FILE FRAMES, where FILE has one line per tick.
import { readFileSync } from 'node:fs';
import { TEXT, textFrame, walkFrames } from './frames.ts';

export interface TickFramesResult {
  readonly accepted: number;
  readonly seconds: number;
}

/** Frames before the measurement, to warm up the JIT compiler. */
const WARM_UP = 20_000;

async function push(port: number, key: string, lines: readonly string[], wanted: number): Promise<TickFramesResult> {
  const frames = Buffer.concat(lines.map(textFrame));
  const { promise, resolve, reject } = Promise.withResolvers<TickFramesResult>();
  let [isOpen, answered, accepted, startedAt, sent] = [false, 0, 0, 0, 0];
  let rest: Buffer = Buffer.alloc(0);
  const onFrame = (opcode: number, bytes: Buffer, start: number, end: number): void => {
    if (opcode !== TEXT) return;
    const answer = JSON.parse(bytes.toString('utf8', start, end)) as { event: string; accepted?: number };
    if (answer.event !== 'ingested') reject(new Error(`answered ${JSON.stringify(answer)}`));
    if (++answered === WARM_UP) startedAt = performance.now();
    else if (answered > WARM_UP) accepted += answer.accepted!;
    if (answered === WARM_UP + wanted) resolve({ accepted, seconds: (performance.now() - startedAt) / 1_000 });
  };
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data(_, chunk) {
        rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        if (!isOpen) {
          const end = rest.indexOf('\r\n\r\n');
          if (end < 0) return;
          isOpen = true;
          rest = rest.subarray(end + 4);
          write();
        }
        rest = Buffer.from(rest.subarray(walkFrames(rest, 0, rest.length, onFrame)));
      },
      drain: () => write(),
      close: () => reject(new Error('the connection was closed')),
    },
  });
  /** The frames again and again, as far as the socket takes them. */
  function write(): void {
    for (;;) {
      const part = frames.subarray(sent % frames.length);
      const taken = socket.write(part);
      sent += taken;
      if (taken < part.length) return;
    }
  }
  socket.write(
    `GET /ws/ingest HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${btoa('benchmark-pusher')}\r\n\r\n`,
  );
  const result = await promise;
  socket.terminate();
  return result;
}

if (import.meta.main) {
  const [port, key, file, frames] = process.argv.slice(2);
  const lines = readFileSync(file!, 'utf8').split('\n');
  console.log(JSON.stringify(await push(Number(port), key!, lines, Number(frames))));
  process.exit(0);
}

// A reader of signals that stops reading while more are published than any socket holds, until it is cut.
import { clientFrame, type RawSocket, rawStream, serverFrames } from './raw-socket.fixture.ts';
import type { RunningService } from './service.fixture.ts';
import { signalEvent } from './signals.fixture.ts';
import type { Message } from './stream-client.fixture.ts';

/** About 14 MB, twice what the buffers of both sockets take. */
export const FLOOD_SIGNALS = 12_000;

/** A subscribed reader that reads no more, with a flood behind it. */
export async function stuckReader({ url, app }: RunningService, key: string): Promise<RawSocket> {
  const socket = await rawStream(url, '/ws/signals', key);
  socket.write(clientFrame(1, '{"action":"subscribe"}'));
  await socket.until(({ received }) => serverFrames(received).frames.length > 0);
  socket.pause();
  app.journal.append(Array.from({ length: FLOOD_SIGNALS }, (_, at) => signalEvent(`sig_${'x'.repeat(1_000)}_${at}`)));
  return socket;
}

/** The last words to such a reader, once it reads again. */
export async function lastWords(service: RunningService, key: string): Promise<{ notice: Message; close: number }> {
  for (let attempt = 0; attempt < 4; attempt++) {
    const socket = await stuckReader(service, key);
    await Bun.sleep(250);
    socket.resume();
    await socket.until(({ isClosed }) => isClosed, 10_000);
    const [notice, close] = serverFrames(socket.received).frames.slice(-2);
    if (close?.opcode === 8)
      return { notice: JSON.parse(notice!.payload.toString()), close: close.payload.readUInt16BE(0) };
    // The runtime looks every four seconds for closing connections that have not drained, and drops those it finds: this
    // one was a moment too late.
  }
  throw new Error('the reader was never told why it was cut');
}

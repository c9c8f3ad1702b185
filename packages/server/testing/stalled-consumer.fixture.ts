// A consumer of signals or news that stops reading while more is published than its socket buffers, until it is
// disconnected.
import type { JournalEvent } from '../src/journal/journal.ts';
import { newsEvent } from './news.fixture.ts';
import { clientFrame, type RawSocket, rawStream, serverFrames } from './raw-socket.fixture.ts';
import type { RunningService } from './service.fixture.ts';
import { signalEvent } from './signals.fixture.ts';
import type { Message } from './stream-client.fixture.ts';

/** About 14 MB, twice the buffers of both sockets. */
export const FLOOD = 12_000;

const FLOODS = {
  signals: (id: string): JournalEvent => signalEvent(`sig_${id}`),
  news: (id: string): JournalEvent => newsEvent(id),
};
export type LosslessChannel = keyof typeof FLOODS;

/** A subscribed client that stops reading, with a flood of messages behind it. */
export async function stalledConsumer(
  { url, app }: RunningService,
  key: string,
  channel: LosslessChannel = 'signals',
): Promise<RawSocket> {
  const socket = await rawStream(url, `/ws/${channel}`, key);
  socket.write(clientFrame(1, '{"action":"subscribe"}'));
  await socket.until(({ received }) => serverFrames(received).frames.length > 0);
  socket.pause();
  app.journal.append(Array.from({ length: FLOOD }, (_, at) => FLOODS[channel](`${'x'.repeat(1_000)}_${at}`)));
  return socket;
}

/** The last messages such a client gets once it reads again. */
export async function lastMessages(
  service: RunningService,
  key: string,
  channel: LosslessChannel = 'signals',
  stuckMs = 250,
): Promise<{ notice: Message; close: number }> {
  const socket = await stalledConsumer(service, key, channel);
  await Bun.sleep(stuckMs);
  socket.resume();
  await socket.until(({ isClosed }) => isClosed);
  const [notice, close] = serverFrames(socket.received).frames.slice(-2);
  return { notice: JSON.parse(notice!.payload.toString()), close: close!.payload.readUInt16BE(0) };
}

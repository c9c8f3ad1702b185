// A WebSocket client on the level of frames: it sends exactly what a test says and records everything it receives.
import { type Frame, RawSocket, serverFrames } from '../raw-socket.fixture.ts';
import { BINARY, CLOSE, CONTINUATION, frame, PING, PONG, TEXT } from './frame.fixture.ts';
import { handshake, readResponse } from './handshake.fixture.ts';

const NAMES = new Map([
  [CONTINUATION, 'continuation'],
  [TEXT, 'text'],
  [BINARY, 'binary'],
  [CLOSE, 'close'],
  [PING, 'ping'],
  [PONG, 'pong'],
]);

export interface CloseResult {
  /** Frames before the close frame, each as its kind and payload. */
  readonly received: string[];
  /** Of the close frame; `null` if it has none. */
  readonly code: number | null;
  readonly reason: string;
}

export class Peer {
  readonly socket: RawSocket;

  private constructor(socket: RawSocket) {
    this.socket = socket;
  }

  static async open(url: string, key: string | null, allowHalfOpen = false): Promise<Peer> {
    const socket = await RawSocket.connect(url, allowHalfOpen);
    socket.write(handshake({ 'X-API-Key': key }));
    const { status } = await readResponse(socket);
    if (status !== 101) throw new Error(`not upgraded: ${status}`);
    return new Peer(socket);
  }

  get frames(): Frame[] {
    return serverFrames(this.socket.received).frames;
  }

  /** Each frame in a separate write. */
  send(...frames: readonly Uint8Array[]): void {
    for (const bytes of frames) this.socket.write(bytes);
  }

  async waitFor(frames: number): Promise<string[]> {
    if (!(await this.socket.until(() => this.frames.length >= frames)))
      throw new Error(`${this.frames.length} of ${frames} frames came: ${this.frames.map(describeFrame)}`);
    return this.frames.map(describeFrame);
  }

  /** Frames received so far. Throws if the connection does not respond any more. */
  async survives(): Promise<string[]> {
    const answer = 'text {"event":"pong","id":"survived"}';
    this.send(frame(TEXT, '{"action":"ping","id":"survived"}'));
    await this.socket.until(() => this.frames.map(describeFrame).at(-1) === answer);
    const received = this.frames.map(describeFrame);
    if (received.pop() !== answer || this.socket.isClosed) throw new Error(`it did not survive: ${received}`);
    return received;
  }

  /** Waits for the end of the connection, which must be a close frame and then the end of the data (7.1.1). */
  async untilClosed(patience?: number): Promise<CloseResult> {
    const ended = await this.socket.until(({ isEnded, isClosed }) => isEnded || isClosed, patience);
    const frames = [...this.frames];
    const received = frames.map(describeFrame);
    const last = frames.pop();
    if (!ended || !last || !received.at(-1)?.startsWith('close'))
      throw new Error(`no close frame (ended: ${ended}): ${received.join().slice(0, 1_000)}`);
    if (serverFrames(this.socket.received).length !== this.socket.received.length)
      throw new Error('more bytes came after the close frame');
    const code = last.payload.length < 2 ? null : last.payload.readUInt16BE(0);
    return { received: received.slice(0, -1), code, reason: last.payload.subarray(2).toString() };
  }
}

/** Kind and payload, and anything unexpected about a frame, so that no comparison ignores it. */
function describeFrame({ fin, reserved, opcode, payload }: Frame): string {
  const odd = `${fin ? '' : 'unfinished '}${reserved === 0 ? '' : `reserved ${reserved} `}`;
  return `${odd}${NAMES.get(opcode) ?? opcode} ${payload}`.trimEnd();
}

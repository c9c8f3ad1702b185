// The other end of a WebSocket, frame by frame: says exactly what it is told to and writes down all that comes back.
import { type Frame, RawSocket, serverFrames } from '../../testing/raw-socket.fixture.ts';
import { BINARY, CLOSE, CONTINUATION, frame, PING, PONG, TEXT } from './frame.fixture.ts';
import { handshake, reply } from './handshake.fixture.ts';

const NAMES = new Map([
  [CONTINUATION, 'continuation'],
  [TEXT, 'text'],
  [BINARY, 'binary'],
  [CLOSE, 'close'],
  [PING, 'ping'],
  [PONG, 'pong'],
]);

export interface Ending {
  /** What was said before the close frame, each as its kind and payload. */
  readonly said: string[];
  /** Of the close frame; null where it carries none. */
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
    const { status } = await reply(socket);
    if (status !== 101) throw new Error(`not upgraded: ${status}`);
    return new Peer(socket);
  }

  get frames(): Frame[] {
    return serverFrames(this.socket.received).frames;
  }

  /** Each frame in a write of its own. */
  send(...frames: readonly Uint8Array[]): void {
    for (const bytes of frames) this.socket.write(bytes);
  }

  async waitFor(frames: number): Promise<string[]> {
    if (!(await this.socket.until(() => this.frames.length >= frames)))
      throw new Error(`${this.frames.length} of ${frames} frames came: ${this.frames.map(inWords)}`);
    return this.frames.map(inWords);
  }

  /** What was said so far. Throws where the connection does not answer any more. */
  async survives(): Promise<string[]> {
    const answer = 'text {"event":"pong","id":"survived"}';
    this.send(frame(TEXT, '{"action":"ping","id":"survived"}'));
    await this.socket.until(() => this.frames.map(inWords).at(-1) === answer);
    const said = this.frames.map(inWords);
    if (said.pop() !== answer || this.socket.isClosed) throw new Error(`it did not survive: ${said}`);
    return said;
  }

  /** Waits for the end of the connection, which has to be a close frame and then the end of the bytes (7.1.1). */
  async ends(patience?: number): Promise<Ending> {
    const ended = await this.socket.until(({ isEnded, isClosed }) => isEnded || isClosed, patience);
    const frames = [...this.frames];
    const said = frames.map(inWords);
    const last = frames.pop();
    if (!ended || !last || !said.at(-1)?.startsWith('close'))
      throw new Error(`no close frame (ended: ${ended}): ${said}`);
    if (serverFrames(this.socket.received).length !== this.socket.received.length)
      throw new Error('more bytes came after the close frame');
    const code = last.payload.length < 2 ? null : last.payload.readUInt16BE(0);
    return { said: said.slice(0, -1), code, reason: last.payload.subarray(2).toString() };
  }
}

/** Kind and payload; what no frame of ours should have is named as well, so that no comparison passes over it. */
function inWords({ fin, reserved, opcode, payload }: Frame): string {
  const odd = `${fin ? '' : 'unfinished '}${reserved === 0 ? '' : `reserved ${reserved} `}`;
  return `${odd}${NAMES.get(opcode) ?? opcode} ${payload}`.trimEnd();
}

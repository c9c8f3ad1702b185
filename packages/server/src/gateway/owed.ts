// What a line has not sent to somebody yet, because they are behind or want less: how many messages, and the volume that
// was in them, so that the next message can make up for it.

export class Owed {
  messages = 0;
  volume = 0;
  /** As much of it as lifted the ask; on lines that know sides. */
  askVolume = 0;
  /** seq of the last message that was sent. */
  lastSeq: number;

  constructor(lastSeq = 0) {
    this.lastSeq = lastSeq;
  }

  add(volume: number, askVolume: number): void {
    this.messages++;
    this.volume += volume;
    this.askVolume += askVolume;
  }

  /** All of it was sent with message `seq`. */
  settle(seq: number): void {
    this.lastSeq = seq;
    this.messages = this.volume = this.askVolume = 0;
  }
}

/** For a message that carries nothing new. */
export const NOTHING_OWED: Readonly<Owed> = new Owed();

// Running total of the messages of a topic that were not sent to a subscriber, because it is slow or throttled: how many
// they were and how much volume they carried, so that the next message can include it.

export class Conflated {
  messages = 0;
  volume = 0;
  /** The part of `volume` that traded at the ask. Only topics with trade sides use it. */
  askVolume = 0;
  /** `seq` of the last message that was sent. */
  lastSeq: number;

  constructor(lastSeq = 0) {
    this.lastSeq = lastSeq;
  }

  add(volume: number, askVolume: number): void {
    this.messages++;
    this.volume += volume;
    this.askVolume += askVolume;
  }

  /** Starts over after message `seq` was sent with the whole total. */
  reset(seq: number): void {
    this.lastSeq = seq;
    this.messages = this.volume = this.askVolume = 0;
  }
}

/** For a message that carries nothing new. */
export const NOTHING_CONFLATED: Readonly<Conflated> = new Conflated();

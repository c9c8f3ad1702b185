// Reads the continuity fields at the end of a message, …,"seq":12,"prev":7,"epoch":"…"}, backwards byte by byte. A JSON parser
// would limit the load long before the sockets do.

const QUOTE = 0x22;
const ZERO = 0x30;
const NINE = 0x39;
/** Text between the two numbers. */
const SEQ = Buffer.from('"seq":');
const PREV = Buffer.from(',"prev":');
const EPOCH = Buffer.from(',"epoch":"');

export class ContinuityTail {
  seq = 0;
  prev = 0;

  /** Reads the fields into this object; returns whether the message has them. */
  read(bytes: Buffer, start: number, end: number): boolean {
    let at = end - 3;
    while (at > start && bytes[at] !== QUOTE) at--;
    at -= EPOCH.length - 1;
    if (!has(bytes, at, EPOCH)) return false;
    const prevEnd = at;
    at = numberStart(bytes, at);
    this.prev = numberOf(bytes, at, prevEnd);
    const seqEnd = at - PREV.length;
    if (!has(bytes, seqEnd, PREV)) return false;
    at = numberStart(bytes, seqEnd);
    this.seq = numberOf(bytes, at, seqEnd);
    return has(bytes, at - SEQ.length, SEQ);
  }
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

function numberStart(bytes: Buffer, end: number): number {
  let at = end;
  while (isDigit(bytes[at - 1]!)) at--;
  return at;
}

function numberOf(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + bytes[at]! - ZERO;
  return value;
}

function has(bytes: Buffer, at: number, text: Buffer): boolean {
  if (at < 0) return false;
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text[index]) return false;
  return true;
}

// The topics of server-sent events. Bun's publish reaches WebSockets only, so the responses that are subscribed to a topic are
// kept here. Each message is read once for all of them.
import { type EncodedPosition, positionIn } from './encode.ts';

/** A response that receives the messages of topics. */
export interface EventReader {
  deliver(text: string, position: EncodedPosition | null): void;
}

export class EventTopics {
  readonly #readers = new Map<string, Set<EventReader>>();

  /** Whether there is nobody to publish to, as in most services. */
  get isEmpty(): boolean {
    return this.#readers.size === 0;
  }

  publish(name: string, text: string): void {
    const readers = this.#readers.get(name);
    if (!readers) return;
    const position = positionIn(text);
    for (const reader of readers) reader.deliver(text, position);
  }

  subscribe(name: string, reader: EventReader): void {
    const readers = this.#readers.get(name) ?? new Set();
    this.#readers.set(name, readers.add(reader));
  }

  unsubscribe(name: string, reader: EventReader): void {
    const readers = this.#readers.get(name);
    if (readers?.delete(reader) && readers.size === 0) this.#readers.delete(name);
  }
}

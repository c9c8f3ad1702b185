// What this process has received and sent on its streams, for the metrics. Gateways that share a port count together.
export class StreamCounts {
  /** Messages from clients. */
  received = 0;
  /** Messages published, each counted once for all its subscribers. */
  published = 0;
  /** How often a subscriber became slow. */
  slow = 0;
  /** Messages dropped for slow subscribers. */
  dropped = 0;
}

// The order in which the readers of a node get each batch of the journal.
import type { JournalReader } from '../journal/journal.ts';
import type { Module, Phase } from '../module/module.ts';

export const PHASES: readonly Phase[] = [
  // Instruments that were added, before anything is known of them.
  'instruments',
  // The numbers of signal messages, which clients are sent.
  'numbers',
  // Prices, which all readers below look up.
  'prices',
  // The tape, before verdicts: the ticks that decide a signal are stored before the decision.
  'tape',
  // Verdicts on signals.
  'verdicts',
  // Alerts. What fires is stored, and then enters the journal itself.
  'alerts',
  // The lists that REST endpoints answer from.
  'lists',
  // Clients of streams last: REST already has what they are sent.
  'clients',
];

/**
 * The same on an ingest node, with two exceptions: the tape gets a batch only once Redis has it (ingest-node.ts), and clients get it
 * from the gateways.
 */
export const INGEST_PHASES = PHASES.filter((phase) => phase !== 'tape' && phase !== 'clients');

/** The readers of all modules in the order of phases, and within a phase in the order of modules. */
export const readersOf = (modules: readonly Module[], phases: readonly Phase[]): JournalReader[] =>
  phases.flatMap((phase) =>
    modules.flatMap(({ readers = [] }) => readers.filter((each) => each.phase === phase).map(({ read }) => read)),
  );

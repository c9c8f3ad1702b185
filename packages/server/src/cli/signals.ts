// `tickwire signals`: voids signals, also while the service runs.
import { VoidRequest } from '@tickwire/contract';
import { openAccessStore } from '../store/open-store.ts';
import { readArguments, UsageError } from './arguments.ts';
import { NOT_ANSWERED, requestOfLog } from './log-request.ts';

const HELP = `tickwire signals void ID --reason TEXT

Voids a signal, for example after a bad tick: it counts as if it had not been published. The reason is public, and all records
of the signal stay in the log. This cannot be undone.
`;

export async function signals(args: string[]): Promise<number> {
  const parsed = readArguments(args, { values: ['reason'], switches: [] });
  const [action, id, ...rest] = parsed.words;
  if (parsed.on.has('help') || action !== 'void') {
    (parsed.on.has('help') ? process.stdout : process.stderr).write(HELP);
    return parsed.on.has('help') ? 0 : 2;
  }
  const { reason } = parsed.flags;
  if (id === undefined || rest.length > 0 || reason === undefined)
    throw new UsageError('usage: tickwire signals void ID --reason TEXT');
  if (!VoidRequest.safeParse({ reason }).success)
    throw new UsageError(`--reason must be ${VoidRequest.shape.reason.meta()?.allowed}`);
  const config = parsed.config();
  await using opened = await openAccessStore(config);
  const done = await requestOfLog(opened.access, config.realm, { kind: 'void', signal: id, reason });
  process.stdout.write(done ? `Signal ${id} is void.\n` : `${NOT_ANSWERED}\n`);
  return 0;
}

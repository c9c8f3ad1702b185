// Errors of replay sessions.
import { entry } from '../common/errors.ts';

export const REPLAY_ERRORS = {
  replay_not_found: entry(
    { status: 404 },
    'Replay not found',
    'The account has no replay session with this id. A session ends when it was not used for a while, and with a restart of a service that is a single process.',
  ),
  not_in_replay: entry(
    { status: 400 },
    'Not in a replay',
    'The endpoint cannot be answered as of the clock of a replay. Repeat the request without the header `Replay` and the parameter `replay`.',
  ),
  saved_record_not_found: entry(
    { status: 404 },
    'Saved record not found',
    'The account has no saved record of practice signals with this id.',
  ),
  too_many_saved_records: entry(
    { status: 409 },
    'Too many saved records',
    'The account has as many saved records of practice signals as its tier allows: five for each replay session.',
  ),
  too_many_replays: entry(
    { status: 409 },
    'Too many replays',
    'The account has as many replay sessions as its tier allows. Delete one first.',
  ),
};

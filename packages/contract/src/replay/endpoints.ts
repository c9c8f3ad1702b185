// Endpoints for replay sessions of the caller's own account.
import { endpoint, READ } from '../common/endpoint.ts';
import { PracticeRecord, SavedPracticeInfo, SavedPracticeList, SavePracticeRequest } from './practice.ts';
import { ReplaySession, ReplaySessionChange, ReplaySessionList, ReplaySessionRequest } from './schemas.ts';

const common = { auth: 'key', scope: 'read', tag: 'Replay' } as const;
const ofSession = ['replay_not_found'] as const;

export const REPLAY_ENDPOINTS = {
  replaySessions: endpoint({
    ...READ,
    path: '/api/replays',
    tag: 'Replay',
    summary: 'List replay sessions',
    description: 'Returns the sessions of the account, oldest first.',
    response: ReplaySessionList,
  }),
  createReplay: endpoint({
    ...common,
    method: 'POST',
    path: '/api/replays',
    summary: 'Create a replay session',
    description:
      'Then send its id in the header `Replay`, or in the parameter `replay`, to read as of its clock. The tier limits sessions, instruments and events per minute.',
    status: 201,
    body: ReplaySessionRequest,
    response: ReplaySession,
    errors: ['symbol_not_found', 'too_many_replays'],
  }),
  replaySession: endpoint({
    ...READ,
    path: '/api/replays/{id}',
    tag: 'Replay',
    summary: 'Get a replay session',
    description: 'Returns the session with the time of its clock.',
    response: ReplaySession,
    errors: ofSession,
  }),
  changeReplay: endpoint({
    ...common,
    method: 'PATCH',
    path: '/api/replays/{id}',
    summary: 'Play, pause, step or seek',
    description: 'Changes the clock: first `seek`, then `step`, then `speed` and `state`.',
    body: ReplaySessionChange,
    response: ReplaySession,
    errors: ofSession,
  }),
  deleteReplay: endpoint({
    ...common,
    method: 'DELETE',
    path: '/api/replays/{id}',
    summary: 'End a replay session',
    description: 'Ends the session and returns it as it was.',
    response: ReplaySession,
    errors: ofSession,
  }),
  practiceRecord: endpoint({
    ...READ,
    path: '/api/replays/{id}/record',
    tag: 'Replay',
    summary: 'Get the record of practice signals',
    description: 'Returns the results of the signals that were published in the session, as of its clock.',
    response: PracticeRecord,
    errors: ofSession,
  }),
  savePractice: endpoint({
    ...common,
    scope: 'publish',
    method: 'POST',
    path: '/api/replays/{id}/save',
    summary: 'Save the record of practice signals',
    description:
      'Saves the record as of the clock. It remains when the session ends. The tier limits how many an account keeps.',
    status: 201,
    body: SavePracticeRequest,
    response: SavedPracticeInfo,
    errors: [...ofSession, 'too_many_saved_records'],
  }),
  savedPractice: endpoint({
    ...READ,
    path: '/api/practice-records',
    tag: 'Replay',
    summary: 'List saved records of practice signals',
    description: 'Returns the saved records of the account, oldest first.',
    response: SavedPracticeList,
  }),
  deleteSavedPractice: endpoint({
    ...common,
    scope: 'publish',
    method: 'DELETE',
    path: '/api/practice-records/{id}',
    summary: 'Delete a saved record',
    description: 'Deletes a saved record of practice signals and returns which it was.',
    response: SavedPracticeInfo,
    errors: ['saved_record_not_found'],
  }),
} as const;

// What the views of the alerts page need.
import type { TerminalServices } from '../services/terminal-services.ts';

export type AlertServices = Pick<
  TerminalServices,
  'client' | 'session' | 'instruments' | 'quotes' | 'accountAlerts' | 'unreadFirings' | 'notifier' | 'navigator'
>;

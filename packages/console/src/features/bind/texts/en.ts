import type { texts as chinese } from './zh-CN.ts'

/** The same texts in English. */
export const texts: typeof chinese = {
  title: 'Bind a device',
  question: 'Is this your device?',
  detail:
    'A device asks to be bound to your account. Compare what stands below, and do not bind a device you do not know.',
  name: 'Name',
  model: 'Model',
  agent: 'Program',
  address: 'From address',
  unknown: 'Unknown',
  left: 'The request expires in {{left}}',
  bind: 'Bind to my account',
  notMine: 'Not my device',
  refused: {
    title: 'Not bound',
    detail: 'The device will not appear in your account; its request dies by itself.',
  },
  done: {
    title: '“{{name}}” is bound',
    detail: 'It comes online in seconds.',
    open: 'Show device',
  },
  bound: { title: 'This device is bound already', detail: 'A request works once.' },
  gone: {
    title: 'The request is unknown or expired',
    detail: 'Run the command on the device again and open the new link it prints.',
  },
  missing: {
    title: 'The link is not complete',
    detail: 'Copy the whole link the device printed, or add the device under “My devices”.',
  },
  failed: 'The request could not be loaded',
  bindFailed: 'Could not be bound',
  devices: 'My devices',
}

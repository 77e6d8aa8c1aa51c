import type { texts as chinese } from './zh-CN.ts'

/** The same texts in English. */
export const texts: typeof chinese = {
  noName: 'No name to check',
  noNameDetail: 'When a public name cannot be opened, this page says why.',
  looking: 'Looking for the reason…',
  device: 'Device: {{name}}',
  owner: 'Owner: {{name}}',
  open: 'Open',
  again: 'Check again',
  toDevice: 'Show this device',
  toDevices: 'My devices',
  reason: {
    ok: 'It can be opened now',
    unknown: 'This name is not in use',
    offline: 'The device is offline',
    disabled: 'This name is switched off',
    paused: 'The device is paused',
    denied: 'You may not open this name',
  },
  next: {
    ok: 'The trouble is gone; try to open it again.',
    unknown: 'Check the address, or ask whoever gave it to you.',
    offline: 'It may be without power or network. Try again later or ask the owner.',
    disabled: 'The owner switched it off. Please ask the owner.',
    paused: 'The owner paused the device. Please ask the owner.',
    denied: 'Ask the owner, or sign in with an account that may.',
  },
  ownNext: {
    ok: 'The trouble is gone; try to open it again.',
    unknown: 'You can add this name at one of your devices.',
    offline: 'Check its power and network, and that the agent runs.',
    disabled: 'Switch it on among the public names of the device.',
    paused: 'Resume the device to open it.',
    denied: 'Check the access of this name.',
  },
}

import type { texts as chinese } from './zh-CN.ts'

/** Texts of the captcha. */
export const texts: typeof chinese = {
  title: 'Verification',
  loading: 'Loading…',
  checking: 'Checking…',
  working: 'Computing; this may take a while…',
  wrong: 'That was not right; try again',
  hint: {
    click: 'Click the same characters in the order of the small picture',
    slide: 'Put the tall frame around the character that is below it',
    slide_region: 'Put the frame around the character that is above it',
    rotate: 'Turn the disc until the same characters face each other',
  },
  refresh: 'Another picture',
  work: 'Cannot see it? Let the browser compute',
  state: {
    needed: 'Click to verify',
    asked: 'Verify first',
    expired: 'The verification has expired; verify again',
    done: 'Verified',
  },
  keys: {
    title: 'By keyboard',
    help: 'Arrow keys move by 1, with Shift by 10.',
    x: 'Left to right',
    y: 'Top to bottom',
    angle: 'Angle',
    click: 'Click here',
    confirm: 'Submit',
  },
}

import {
  type CallArguments,
  type CaptchaScene,
  getCaptcha,
  initCaptcha,
  solveCaptcha,
  workKind,
} from '@homeport/contract'
import { client } from '../../../app/api-client.ts'

/** Whether the scene's next call has to bring a ticket. */
export const askCaptcha = async (scene: CaptchaScene): Promise<boolean> =>
  (await client.call(initCaptcha, { query: { scene } })).required

/** A new challenge: one for the eye, or work for the browser. */
export const fetchCaptcha = (scene: CaptchaScene, way: 'eye' | typeof workKind) =>
  client.call(getCaptcha, { query: { scene, ...(way === 'eye' ? {} : { kind: workKind }) } })

/** Answers a challenge; gives the ticket. */
export const answerCaptcha = async (
  body: CallArguments<typeof solveCaptcha>['body'],
): Promise<string> => (await client.call(solveCaptcha, { body })).ticket

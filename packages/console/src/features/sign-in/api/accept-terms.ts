import { patchProfile } from '@homeport/contract'
import { client } from '../../../app/api-client.ts'

/** Notes in the profile that the terms of service were accepted. */
export const acceptTerms = (profileId: number) =>
  client.call(patchProfile, {
    params: { id: profileId },
    body: { accepted_terms_of_service: true },
  })

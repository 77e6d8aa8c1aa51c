import { type Profile, patchProfile } from '@homeport/contract'
import { client } from '../../../app/api-client.ts'

/** Patches `readed_announcement_id`; the server never lets it go down. Gives the new profile. */
export const markRead = (profileId: number, readUpToId: number): Promise<Profile> =>
  client.call(patchProfile, {
    params: { id: profileId },
    body: { readed_announcement_id: readUpToId },
  })

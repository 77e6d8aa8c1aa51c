import { getLoginStatus } from '@homeport/contract'
import { client } from '../../../app/api-client.ts'

/** Whether this browser is signed in, perhaps by another tab. */
export const askLoginStatus = () => client.call(getLoginStatus, {})

import type { Profile } from '@homeport/contract'
import type { StoredUser } from './user-store.ts'

/** A user as the API shows it to its owner. Phone, plans and codes come with their own rooms; until then none is there. */
export function presentProfile(user: StoredUser, token: string): Profile {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    token,
    // Relative: it holds under every address the console is reached at.
    url: `/api/profile/${user.id}/`,
    is_payed: false,
    is_promoter: user.is_promoter === 1,
    is_staff: user.is_staff === 1,
    is_superuser: user.is_superuser === 1,
    readed_announcement_id: user.readed_announcement_id,
    accepted_terms_of_service: user.accepted_terms_of_service === 1,
    accepted_terms_of_payment: user.accepted_terms_of_payment === 1,
    phone_bound_at: null,
    phone_number: '',
    phone_verified: false,
  }
}

import type { OwnAccount, Profile } from '@homeport/contract'
import type { StoredEmailChange } from './email-store.ts'
import type { StoredUser } from './user-store.ts'

/** A user as the API shows it to its owner. Plans and codes come with their own rooms; until then none is there. */
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
    phone_bound_at:
      user.phone_bound_at === null ? null : new Date(user.phone_bound_at).toISOString(),
    phone_number: user.phone_number ?? '',
    // A number is written down only once a code that was sent to it came back.
    phone_verified: user.phone_number !== null,
    has_password: user.password_hash !== '',
  }
}

const toInstant = (epochMs: number) => new Date(epochMs).toISOString()

/** What the page about the own account shows beside the profile. */
export function presentOwnAccount(
  user: StoredUser,
  belongings: Pick<OwnAccount, 'devices' | 'records' | 'open_pairing_commands'>,
  more: {
    isLastAdministrator: boolean
    canMail: boolean
    pending: StoredEmailChange | undefined
  },
): OwnAccount {
  const accepted = (isAccepted: number, version: string | null, at: number | null) =>
    isAccepted === 1 ? { version, accepted_at: at === null ? null : toInstant(at) } : null
  return {
    created_at: toInstant(user.created_at),
    ...belongings,
    is_last_administrator: more.isLastAdministrator,
    can_mail: more.canMail,
    email_pending:
      more.pending === undefined
        ? null
        : { email: more.pending.email, expires_at: toInstant(more.pending.expires_at) },
    terms: {
      service: accepted(
        user.accepted_terms_of_service,
        user.terms_of_service_version,
        user.terms_of_service_at,
      ),
      payment: accepted(
        user.accepted_terms_of_payment,
        user.terms_of_payment_version,
        user.terms_of_payment_at,
      ),
    },
  }
}

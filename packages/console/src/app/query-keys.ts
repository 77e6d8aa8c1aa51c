/** First element of every query key; live events invalidate by it. */
export const queryKeys = {
  settings: ['settings'],
  profile: ['profile'],
  announcements: ['announcements'],
  routers: ['routers'],
  servers: ['servers'],
  sessions: ['sessions'],
  secondFactor: ['second-factor'],
  passkeys: ['passkeys'],
  identities: ['identities'],
  invites: ['invites'],
  outbox: ['outbox'],
  ownAccount: ['own-account'],
  restoration: ['restoration'],
  resetLink: ['reset-link'],
} as const

export {
  type GatePass,
  type GateTicket,
  gateCookies,
  gateLifetimeMs,
  gatePrefix,
  sealPass,
  sealTicket,
  ticketLifetimeMs,
  ticketParameter,
  unsealPass,
  unsealTicket,
} from './tokens.ts'

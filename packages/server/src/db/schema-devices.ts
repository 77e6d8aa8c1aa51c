import type { RecordKind } from '@homeport/contract'
import type { Generated } from 'kysely'

// Instants are epoch ms; booleans are 0 or 1, on both engines.

/** A device that was paired: its credential is `public_key`, and dies with the row. */
export interface DeviceTable {
  id: Generated<number>
  /** Name of the device in the tunnel: 128 random bits, base64url. Never used again. */
  uid: string
  user_id: number
  /** Ed25519 public key, 32 raw bytes, base64url. */
  public_key: string
  name: string
  remark: string
  model: string
  agent: string
  agent_version: string
  public_ip: string
  lan_ip: string
  paused: number
  last_seen_at: number | null
  created_at: number
}

/** A device without a token that waits for somebody signed in to bind it. */
export interface PairingTable {
  /** SHA-256 of the pairing id, base64url: the id itself is the secret that stands in the address. */
  id_hash: string
  public_key: string
  name: string
  model: string
  agent: string
  agent_version: string
  /** Address it asked from. */
  address: string
  /** The part of the address that limits count: an IPv4 address, or the /64 of an IPv6 one. */
  limit_key: string
  created_at: number
  expires_at: number
  /** The device it became; null while it waits. */
  device_id: number | null
}

/** Ids of signed tokens that were used; kept until the token would have expired. */
export interface SignedTokenTable {
  id: string
  user_id: number
  expires_at: number
}

/** Signed tokens that were handed out: how many wait to be used is told before a reset makes them void. */
export interface IssuedTokenTable {
  id: string
  user_id: number
  expires_at: number
}

/** One public name (or port) that leads to one target in the LAN of one device. */
export interface RecordTable {
  id: Generated<number>
  user_id: number
  device_id: number
  /** Label under the tunnel domain; unique for all kinds. */
  name: string
  kind: RecordKind
  /** Canonical target of `parseTarget`. */
  target: string
  remark: string
  enabled: number
  /** JSON list of ways in. */
  access: string
  /** JSON of RecordOptions. */
  options: string
  /** Port of the pool, for tcp. */
  port: number | null
  created_at: number
  updated_at: number
}

/** A name that was given back and rests: until then only its last owner may take it. */
export interface ReservedNameTable {
  name: string
  user_id: number
  reserved_until: number
}

/** A port of the pool that was given back: others get it only when nothing has rested longer. */
export interface ReleasedPortTable {
  port: number
  user_id: number
  released_at: number
}

/** What a record carried in one hour. */
export interface UsageHourlyTable {
  /** Not a foreign key: the figures outlive the record. */
  record_id: number
  user_id: number
  device_id: number
  /** Epoch ms of the hour's start. */
  hour: number
  requests: number
  bytes_in: number
  bytes_out: number
}

/** Tables of the rooms devices, records and relays. */
export interface DeviceTables {
  devices: DeviceTable
  pairings: PairingTable
  signed_tokens: SignedTokenTable
  issued_tokens: IssuedTokenTable
  records: RecordTable
  reserved_names: ReservedNameTable
  released_ports: ReleasedPortTable
  usage_hourly: UsageHourlyTable
}

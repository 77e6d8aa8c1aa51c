// Numbers of the yamux framing, version 0 (HashiCorp's specification, "Framing").

/** The only version of the framing. */
export const YAMUX_VERSION = 0

/** Version u8, type u8, flags u16, stream u32, length u32, all big endian. */
export const HEADER_BYTES = 12

/** Frame types; the meaning of a header's length depends on them. */
export const TYPE_DATA = 0
export const TYPE_WINDOW_UPDATE = 1
export const TYPE_PING = 2
export const TYPE_GO_AWAY = 3

/** Flags; any other bit is a protocol error. */
export const FLAG_SYN = 1
export const FLAG_ACK = 2
export const FLAG_FIN = 4
export const FLAG_RST = 8
export const FLAGS_ALL = 15

/** Codes of a go-away frame. */
export const GO_AWAY_NORMAL = 0
export const GO_AWAY_PROTOCOL_ERROR = 1
export const GO_AWAY_INTERNAL_ERROR = 2

/** What both sides assume of a new stream's window before any update ("Flow Control"). */
export const INITIAL_WINDOW_BYTES = 256 * 1024

/** Largest payload of one data frame, sent or taken: ours, the specification names none. */
export const FRAME_LIMIT_BYTES = 32 * 1024

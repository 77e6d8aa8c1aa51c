/**
 * Carries messages of the control link: a MessagePort under `homeport up`, a socket between machines.
 * Messages arrive whole and in order or not at all; one suite of tests holds every channel to that.
 */
export interface ControlChannel {
  /** Queues one message; after `close` it is dropped. */
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Called once, when no further message can come. */
  onClose(listener: () => void): void
  close(): void
}

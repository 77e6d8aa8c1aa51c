import type { MessagePort } from 'node:worker_threads'
import type { ControlChannel } from './channel.ts'

/** The channel between two threads of one process. */
export function createPortChannel(port: MessagePort): ControlChannel {
  return {
    send: message => port.postMessage(message),
    onMessage: listener => {
      port.on('message', listener)
    },
    onClose: listener => {
      port.once('close', listener)
    },
    close: () => port.close(),
  }
}

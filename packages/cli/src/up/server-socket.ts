import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the server listens for the relay alone. */
export interface ServerSocket {
  path: string
  remove(): Promise<void>
}

/**
 * A place nobody else on the machine reaches: `mkdtemp` makes the folder with mode 0700. A short path, because a socket's
 * address holds about 100 bytes. On Windows a named pipe with a name nobody can guess.
 */
export async function createServerSocket(): Promise<ServerSocket> {
  if (process.platform === 'win32') {
    const path = `\\\\.\\pipe\\homeport-${randomBytes(16).toString('hex')}`
    return { path, remove: async () => undefined }
  }
  const folder = await mkdtemp(join(tmpdir(), 'homeport-'))
  return {
    path: join(folder, 'server.sock'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

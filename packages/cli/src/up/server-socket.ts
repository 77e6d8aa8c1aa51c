import { randomBytes } from 'node:crypto'
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the server listens for the relay alone. */
export interface ServerSocket {
  path: string
  remove(): Promise<void>
}

const socketName = 'server.sock'

/**
 * A place nobody else on the machine reaches: `mkdtemp` makes the folder with mode 0700. A short path, because a socket's
 * address holds about 100 bytes. On Windows a named pipe with a name nobody can guess. What starts that were killed left
 * behind is removed.
 */
export async function createServerSocket(parent = tmpdir()): Promise<ServerSocket> {
  if (process.platform === 'win32') {
    const path = `\\\\.\\pipe\\homeport-${randomBytes(16).toString('hex')}`
    return { path, remove: async () => undefined }
  }
  await removeStaleFolders(parent)
  const folder = await mkdtemp(join(parent, `homeport-up-${process.pid}-`))
  return {
    path: join(folder, socketName),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function removeStaleFolders(parent: string): Promise<void> {
  // Who may not list the folder for temporary files may still make one in it.
  const names = await readdir(parent).catch(() => [])
  for (const name of names) {
    const pid = /^homeport-up-([1-9][0-9]*)-[A-Za-z0-9]{6}$/.exec(name)?.[1]
    if (pid === undefined || isRunning(Number(pid))) continue
    const folder = join(parent, name)
    try {
      if (await isAbandoned(folder)) await rm(folder, { recursive: true })
    } catch {
      // Another start was faster, or it is not ours to judge: a folder more does no harm.
    }
  }
}

/** In containers the next process has the id of the one before; it has made no folder yet. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Ours, private, with at most a socket in it that nobody answers on (a process of another container may). */
async function isAbandoned(folder: string): Promise<boolean> {
  // lstat: everybody may write to the parent, so the name may be a link to anywhere.
  const facts = await lstat(folder)
  if (!facts.isDirectory() || facts.uid !== process.getuid?.() || (facts.mode & 0o077) !== 0) {
    return false
  }
  const [first, ...others] = await readdir(folder)
  if (first === undefined) return true
  if (first !== socketName || others.length > 0) return false
  const socket = join(folder, socketName)
  return (await lstat(socket)).isSocket() && !(await isAnswered(socket))
}

const isAnswered = (path: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    // Any other fault leaves open whether somebody listens.
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'))
  })

import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { findProgram } from '../programs.ts'
import { findFreePort, type Stage, untilListening } from '../stage.ts'
import type { Ground, Way } from '../way.ts'

// Ours and the others agree on AES-GCM; OpenSSH left alone takes ChaCha20, which is another race.
const cipher = 'aes128-gcm@openssh.com'
/** A root's sshd refuses to start without it; a system's own start makes it, a container has none. */
const emptyFolder = '/run/sshd'

/** An sshd of its own on loopback, with keys made for this run, and `ssh -R` for both ports. */
export async function startOpenssh(stage: Stage, ground: Ground): Promise<Way[]> {
  const [sshd, ssh] = [findProgram('sshd'), findProgram('ssh')]
  const file = (name: string) => join(stage.folder, name)
  for (const name of ['ssh-host', 'ssh-user']) {
    const args = ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)]
    execFileSync(findProgram('ssh-keygen'), args, { stdio: 'ignore' })
  }
  copyFileSync(file('ssh-user.pub'), file('ssh-authorized'))
  const port = await findFreePort()
  writeFileSync(
    file('sshd.conf'),
    `ListenAddress 127.0.0.1:${port}
HostKey ${file('ssh-host')}
PidFile none
AuthorizedKeysFile ${file('ssh-authorized')}
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
AllowTcpForwarding remote
LogLevel INFO
`,
  )
  if (process.getuid?.() === 0 && !existsSync(emptyFolder)) {
    mkdirSync(emptyFolder, { mode: 0o755 })
    stage.atEnd(() => rmSync(emptyFolder, { recursive: true, force: true }))
  }
  const relay = stage.start(sshd, ['-D', '-e', '-f', file('sshd.conf')])
  await untilListening(port, relay)

  const [down, up] = [await findFreePort(), await findFreePort()]
  const settings = [
    'BatchMode=yes',
    'IdentitiesOnly=yes',
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'ExitOnForwardFailure=yes',
    'LogLevel=ERROR',
    `Ciphers=${cipher}`,
  ].flatMap(each => ['-o', each])
  const forwards = [
    ['-R', `127.0.0.1:${down}:127.0.0.1:${ground.targetPort}`],
    ['-R', `127.0.0.1:${up}:127.0.0.1:${ground.sinkPort}`],
  ].flat()
  const agent = stage.start(ssh, [
    ...['-F', 'none', '-N', '-i', file('ssh-user'), '-p', `${port}`],
    ...settings,
    ...forwards,
    `${userInfo().username}@127.0.0.1`,
  ])
  await untilListening(up, agent).catch(cause => {
    // The client only knows that it was refused; a locked account, for example, is told by the other end alone.
    const words = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${words}; sshd: ${relay.complaint()}`.replaceAll(/\s+/g, ' '), { cause })
  })
  return [
    {
      id: 'openssh',
      name: `OpenSSH sshd with ssh -R (${cipher.replace(/@.*/, '')})`,
      down: { port: down, host: 'localhost', isTls: false },
      up: { port: up, host: 'localhost', isTls: false },
      sides: [
        { name: 'relay', pid: relay.pid },
        { name: 'agent', pid: agent.pid },
      ],
    },
  ]
}

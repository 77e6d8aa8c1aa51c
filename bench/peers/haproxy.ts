import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../programs.ts'
import { type Child, findFreePort, type Stage, untilListening } from '../stage.ts'
import type { Ground, Way } from '../way.ts'

/** Starts a HAProxy of one thread; resolves when it takes connections on this port. */
async function startHaproxy(
  stage: Stage,
  name: string,
  port: number,
  text: string,
): Promise<Child> {
  const file = join(stage.folder, `${name}.cfg`)
  writeFileSync(
    file,
    `global
  nbthread 1
  maxconn 4096
defaults
  timeout connect 5s
  timeout client 60s
  timeout server 60s
${text}`,
  )
  const child = stage.start(findProgram('haproxy'), ['-db', '-q', '-f', file])
  await untilListening(port, child)
  return child
}

const section = (mode: string, name: string, bind: string, server: string) => `
listen ${name}
  mode ${mode}
  bind 127.0.0.1:${bind}
  server next 127.0.0.1:${server}
`

/** HAProxy as an HTTP proxy at one hop; it keeps connections to the target unless told otherwise. */
export async function startHaproxyHttp(stage: Stage, ground: Ground): Promise<Way[]> {
  const port = await findFreePort()
  const child = await startHaproxy(
    stage,
    'haproxy-http',
    port,
    section('http', 'target', `${port}`, `${ground.targetPort}`),
  )
  const place = { port, host: 'localhost', isTls: false }
  return [
    {
      id: 'haproxy',
      name: 'HAProxy, one hop, kept connections to the target',
      down: place,
      up: place,
      sides: [{ name: 'proxy', pid: child.pid }],
      isRequestsOnly: true,
    },
  ]
}

/** HAProxy as two hops of TCP with TLS between. */
export async function startHaproxyTcp(stage: Stage, ground: Ground): Promise<Way[]> {
  const { certFile, bothFile } = ground.certificate
  const [farDown, farUp] = [await findFreePort(), await findFreePort()]
  const [nearDown, nearUp] = [await findFreePort(), await findFreePort()]
  const served = `ssl crt ${bothFile}`
  const far = await startHaproxy(
    stage,
    'haproxy-far',
    farUp,
    section('tcp', 'target', `${farDown} ${served}`, `${ground.targetPort}`) +
      section('tcp', 'sink', `${farUp} ${served}`, `${ground.sinkPort}`),
  )
  const dialled = `ssl verify required ca-file ${certFile} verifyhost localhost sni str(localhost)`
  const near = await startHaproxy(
    stage,
    'haproxy-near',
    nearUp,
    section('tcp', 'target', `${nearDown}`, `${farDown} ${dialled}`) +
      section('tcp', 'sink', `${nearUp}`, `${farUp} ${dialled}`),
  )
  return [
    {
      id: 'haproxy-tcp',
      name: 'HAProxy tcp, two hops, TLS between',
      down: { port: nearDown, host: 'localhost', isTls: false },
      up: { port: nearUp, host: 'localhost', isTls: false },
      sides: [
        { name: 'relay', pid: near.pid },
        { name: 'agent', pid: far.pid },
      ],
    },
  ]
}

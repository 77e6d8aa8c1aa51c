import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram, loadStreamModule } from '../programs.ts'
import { type Child, findFreePort, type Stage, untilListening } from '../stage.ts'
import type { Certificate, Ground, Way } from '../way.ts'

/** What stands in a configuration; nginx counts a block that is missing as nothing to do. */
interface Blocks {
  readonly http?: string
  readonly stream?: string
}

/** Starts an nginx of one worker; resolves when it takes connections on this port. */
export async function startNginx(
  stage: Stage,
  name: string,
  port: number,
  { http, stream }: Blocks,
): Promise<Child> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(kind => `${kind}_temp_path ${stage.folder}/${name}-${kind};`)
    .join(' ')
  // Bulk through a proxy must not go to the disk when the other end is slower.
  const settings =
    'access_log off; keepalive_requests 100000000; client_max_body_size 0; proxy_request_buffering off; proxy_max_temp_file_size 0;'
  const file = join(stage.folder, `${name}.conf`)
  writeFileSync(
    file,
    `${stream === undefined ? '' : loadStreamModule()}
     daemon off; master_process off; pid ${stage.folder}/${name}.pid;
     events { worker_connections 4096; }
     ${http === undefined ? '' : `http { ${temporary} ${settings} ${http} }`}
     ${stream === undefined ? '' : `stream { ${stream} }`}`,
  )
  const child = stage.start(findProgram('nginx'), ['-p', stage.folder, '-e', 'stderr', '-c', file])
  await untilListening(port, child)
  return child
}

const kept = 'proxy_http_version 1.1; proxy_set_header Connection "";'
const upstream = (name: string, port: number) =>
  `upstream ${name} { server 127.0.0.1:${port}; keepalive 64; keepalive_requests 100000000; }`
const serveTls = ({ certFile, keyFile }: Certificate) =>
  `ssl_certificate ${certFile}; ssl_certificate_key ${keyFile};`
const dialTls = ({ certFile }: Certificate) =>
  `proxy_ssl_verify on; proxy_ssl_trusted_certificate ${certFile}; proxy_ssl_name localhost;`

/** A server that hands everything on over kept connections. */
const proxy = (listen: string, scheme: string, name: string) =>
  `server { listen 127.0.0.1:${listen}; location / { proxy_pass ${scheme}://${name}; ${kept} } }`

/** nginx as an HTTP proxy at one hop, with upstream connections as they come and kept, and at two hops with TLS between. */
export async function startNginxHttp(stage: Stage, ground: Ground): Promise<Way[]> {
  const { certificate } = ground
  const plain = { host: 'localhost', isTls: false }
  const pair = async () => [await findFreePort(), await findFreePort()] as const
  const upstreams = `${upstream('target', ground.targetPort)} ${upstream('sink', ground.sinkPort)}`

  const fresh = await findFreePort()
  const freshChild = await startNginx(stage, 'one-hop-default', fresh, {
    http: `server { listen 127.0.0.1:${fresh}; location / { proxy_pass http://127.0.0.1:${ground.targetPort}; } }`,
  })

  const [down, up] = await pair()
  const keptChild = await startNginx(stage, 'one-hop-kept', up, {
    http: `${upstreams} ${proxy(`${down}`, 'http', 'target')} ${proxy(`${up}`, 'http', 'sink')}`,
  })

  const [tlsDown, tlsUp] = await pair()
  const tlsChild = await startNginx(stage, 'one-hop-tls', tlsUp, {
    http: `${serveTls(certificate)} ${upstreams}
      ${proxy(`${tlsDown} ssl`, 'http', 'target')} ${proxy(`${tlsUp} ssl`, 'http', 'sink')}`,
  })

  const [farDown, farUp] = await pair()
  const far = await startNginx(stage, 'two-hops-far', farUp, {
    http: `${serveTls(certificate)} ${upstreams}
      ${proxy(`${farDown} ssl`, 'http', 'target')} ${proxy(`${farUp} ssl`, 'http', 'sink')}`,
  })
  const [nearDown, nearUp] = await pair()
  const near = await startNginx(stage, 'two-hops-near', nearUp, {
    http: `${dialTls(certificate)} ${upstream('target', farDown)} ${upstream('sink', farUp)}
      ${proxy(`${nearDown}`, 'https', 'target')} ${proxy(`${nearUp}`, 'https', 'sink')}`,
  })

  return [
    {
      id: 'nginx-default',
      name: 'nginx, one hop, default: a connection to the target for each request',
      down: { ...plain, port: fresh },
      up: { ...plain, port: fresh },
      sides: [{ name: 'proxy', pid: freshChild.pid }],
      isRequestsOnly: true,
    },
    {
      id: 'nginx-kept',
      name: 'nginx, one hop, kept connections to the target',
      down: { ...plain, port: down },
      up: { ...plain, port: up },
      sides: [{ name: 'proxy', pid: keptChild.pid }],
    },
    {
      id: 'nginx-tls',
      name: 'nginx, one hop, https visitors, kept connections',
      down: { port: tlsDown, host: 'localhost', isTls: true },
      up: { port: tlsUp, host: 'localhost', isTls: true },
      sides: [{ name: 'proxy', pid: tlsChild.pid }],
      isRequestsOnly: true,
    },
    {
      id: 'nginx-two-hops',
      name: 'nginx, two hops, TLS between, kept connections',
      down: { ...plain, port: nearDown },
      up: { ...plain, port: nearUp },
      sides: [
        { name: 'relay', pid: near.pid },
        { name: 'agent', pid: far.pid },
      ],
    },
  ]
}

/** nginx as two hops of TCP with TLS between. */
export async function startNginxTcp(stage: Stage, ground: Ground): Promise<Way[]> {
  const pass = (listen: string, port: number, tls = '') =>
    `server { listen 127.0.0.1:${listen}; proxy_pass 127.0.0.1:${port}; ${tls} }`
  const [farDown, farUp] = [await findFreePort(), await findFreePort()]
  const [nearDown, nearUp] = [await findFreePort(), await findFreePort()]
  const far = await startNginx(stage, 'tcp-far', farUp, {
    stream: `${serveTls(ground.certificate)}
      ${pass(`${farDown} ssl`, ground.targetPort)} ${pass(`${farUp} ssl`, ground.sinkPort)}`,
  })
  const tls = `proxy_ssl on; ${dialTls(ground.certificate)}`
  const near = await startNginx(stage, 'tcp-near', nearUp, {
    stream: `${pass(`${nearDown}`, farDown, tls)} ${pass(`${nearUp}`, farUp, tls)}`,
  })
  return [
    {
      id: 'nginx-tcp',
      name: 'nginx stream, two hops, TLS between',
      down: { port: nearDown, host: 'localhost', isTls: false },
      up: { port: nearUp, host: 'localhost', isTls: false },
      sides: [
        { name: 'relay', pid: near.pid },
        { name: 'agent', pid: far.pid },
      ],
    },
  ]
}

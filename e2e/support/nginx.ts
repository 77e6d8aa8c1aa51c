import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { freePort, startProgram } from './processes.ts'

const binary = '/usr/sbin/nginx'
const davModule = '/usr/lib/nginx/modules/ngx_http_dav_ext_module.so'

/** Whether this machine can run the nginx that these tests want. */
export const hasNginx = existsSync(binary) && existsSync(davModule)

/** A running nginx: static files under `/`, WebDAV under `/dav/`, both in `root`. */
export interface Nginx {
  port: number
  root: string
  stop(): Promise<void>
}

/** Starts an unprivileged-style nginx of its own in a temporary folder. */
export async function startNginx(): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-nginx-'))
  await chmod(folder, 0o755)
  const root = join(folder, 'root')
  await mkdir(join(root, 'dav'), { recursive: true })
  const port = await freePort()
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, root, port))
  const program = startProgram(binary, ['-p', folder, '-c', join(folder, 'nginx.conf')])
  await waitUntilItListens(port)
  return {
    port,
    root,
    stop: async () => {
      await program.stop('SIGQUIT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const configuration = (folder: string, root: string, port: number) => `
load_module ${davModule};
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  client_max_body_size 0;
  gzip on;
  gzip_min_length 100;
  gzip_types text/plain;
  default_type text/plain;
  dav_ext_lock_zone zone=locks:1m;
  server {
    listen 127.0.0.1:${port};
    root ${root};
    add_header X-Connection $connection;
    location /dav/ {
      dav_methods PUT DELETE MKCOL COPY MOVE;
      dav_ext_methods PROPFIND OPTIONS LOCK UNLOCK;
      dav_ext_lock zone=locks;
      create_full_put_path on;
    }
    location /moved { return 302 /hello.txt; }
    location /absolute { return 302 http://$http_host/hello.txt; }
    location /headers { return 200 "$http_host|$http_x_forwarded_host|$http_x_forwarded_proto|$http_x_forwarded_for|$http_cookie"; }
  }
}
`

const waitUntilItListens = (port: number) =>
  vi.waitFor(
    async () => {
      const socket = net.connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.destroy()
    },
    { timeout: 5000, interval: 25 },
  )

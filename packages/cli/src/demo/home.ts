import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DemoPage } from '@homeport/server'
import { WebSocketServer } from 'ws'
import { escapeHtml, renderPage } from './page.ts'

/** The three LAN pages of the sample home, running. */
export interface DemoPages {
  list: DemoPage[]
  close(): Promise<void>
}

/** Starts the pages on loopback ports of their own. */
export async function startDemoPages(): Promise<DemoPages> {
  const servers = [createServer(answerHello), createEchoServer(), createServer(answerUpload)]
  const targets = await Promise.all(servers.map(listen))
  const describe = (index: number, name: string, remark: string, access: DemoPage['access']) => ({
    name,
    remark,
    access,
    target: targets[index] ?? '',
  })
  return {
    list: [
      describe(0, 'hello', '示例网页（公开）', 'public'),
      describe(1, 'echo', 'WebSocket 回声（仅本人）', 'owner'),
      describe(2, 'upload', '上传测试（仅本人）', 'owner'),
    ],
    close: async () => {
      await Promise.all(servers.map(close))
    },
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise(resolve => server.close(() => resolve()))
}

function sendPage(response: ServerResponse, html: string): void {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(html)
}

function answerHello(request: IncomingMessage, response: ServerResponse): void {
  const rows = [
    ['您的地址', request.headers['x-forwarded-for']],
    ['访问的域名', request.headers['x-forwarded-host']],
    ['协议', request.headers['x-forwarded-proto']],
    ['本机看到的 Host', request.headers.host],
    ['现在时间', new Date().toLocaleString('zh-CN')],
  ]
  const list = rows
    .map(([label, value]) => `<dt>${label}</dt><dd>${escapeHtml(String(value ?? '—'))}</dd>`)
    .join('')
  sendPage(
    response,
    renderPage(
      '您好，这里是示例之家',
      `<p>这个网页运行在一台没有公网地址的设备上，您正通过归港的隧道看到它。</p><dl>${list}</dl>`,
    ),
  )
}

const echoPage = renderPage(
  'WebSocket 回声',
  `<p>输入的文字经隧道送到示例设备，再原样返回。</p>
<form id="form"><input id="text" value="你好" aria-label="要发送的文字"><button>发送</button></form><output id="log">正在连接…</output>
<script>
const log = document.getElementById('log')
const socket = new WebSocket(location.href.replace(/^http/, 'ws'))
const sentAt = []
socket.onopen = () => { log.textContent = '已连接' }
socket.onclose = () => { log.textContent = '连接已断开，刷新页面可重新连接' }
socket.onmessage = event => { log.textContent = '收到：' + event.data + '（往返 ' + Math.round(performance.now() - sentAt.shift()) + ' 毫秒）' }
document.getElementById('form').onsubmit = event => {
  event.preventDefault()
  sentAt.push(performance.now())
  socket.send(document.getElementById('text').value)
}
</script>`,
)

function createEchoServer(): Server {
  const server = createServer((_, response) => sendPage(response, echoPage))
  const sockets = new WebSocketServer({ server, maxPayload: 1024 * 1024 })
  sockets.on('connection', socket => {
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
    // A visitor that vanishes mid-frame ends its own socket; there is nothing to save.
    socket.on('error', () => socket.terminate())
  })
  return server
}

const uploadPage = renderPage(
  '上传测试',
  `<p>选一个文件，大小不限：示例设备只计算它的字节数和 SHA-256，不保存内容。</p>
<form id="form"><input id="file" type="file" required aria-label="要上传的文件"><button>上传</button></form><output id="log"></output>
<script>
const log = document.getElementById('log')
document.getElementById('form').onsubmit = async event => {
  event.preventDefault()
  log.textContent = '正在上传…'
  try {
    const answer = await (await fetch('', { method: 'POST', body: document.getElementById('file').files[0] })).json()
    log.textContent = '收到 ' + answer.bytes + ' 字节\\nSHA-256 ' + answer.sha256
  } catch {
    log.textContent = '上传失败，请重试'
  }
}
</script>`,
)

function answerUpload(request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'POST') {
    sendPage(response, uploadPage)
    return
  }
  void digest(request).then(
    result => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(result))
    },
    () => response.destroy(), // the uploader left: nobody waits for an answer
  )
}

async function digest(request: IncomingMessage): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

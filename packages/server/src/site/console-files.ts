import { existsSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml, sendPlainPage } from '../http/plain-page.ts'

/** Vite puts a hash of the content into the names of these. */
const hashedFolder = '/assets/'

/** Serves the built console; where it is missing, `/` says what to do. */
export function registerConsoleFiles(app: FastifyInstance, folder: string | undefined): void {
  if (folder === undefined || !existsSync(path.join(folder, 'index.html'))) {
    app.get('/', (request, reply) => sendMissing(request, reply))
    return
  }
  const root = path.resolve(folder)
  app.register(fastifyStatic, {
    root,
    preCompressed: true,
    cacheControl: false,
    // One route for each file that exists: a name outside the folder never reaches the file system.
    wildcard: false,
    globIgnore: ['**/*.br', '**/*.gz'],
    setHeaders(reply, file) {
      const isHashed = `/${path.relative(root, file).split(path.sep).join('/')}`.startsWith(
        hashedFolder,
      )
      reply.header('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
}

function sendMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { language } = request.facts
  const [title, text] =
    language === 'zh'
      ? ['控制台尚未构建', '服务器正在运行，但缺少控制台的文件。请在项目文件夹中运行：']
      : [
          'The console is not built',
          'The server runs, but the files of the console are missing. In the project folder run:',
        ]
  return sendPlainPage(reply, {
    status: 503,
    language,
    title,
    isSmall: true,
    content: `<p>${escapeHtml(text)}</p><p><code>npm run build</code></p>`,
  })
}

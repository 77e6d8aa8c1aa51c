import { toOpenApi } from '@homeport/contract/openapi'
import type { FastifyInstance } from 'fastify'
import type { Language } from '../http/language.ts'
import { sendPlainPage } from '../http/plain-page.ts'
import { renderDocs } from './docs-page.ts'

/** Mounts the OpenAPI document and the readable page made from it; both are made once. */
export function registerDocs(app: FastifyInstance, { version }: { version: string }): void {
  const document = toOpenApi(version)
  const text = JSON.stringify(document)
  const pages: Record<Language, string> = {
    zh: renderDocs(document, 'zh'),
    en: renderDocs(document, 'en'),
  }

  app.get('/api/openapi.json', async (_, reply) =>
    reply.header('Cache-Control', 'no-cache').type('application/json; charset=utf-8').send(text),
  )

  app.get('/api/docs', async ({ facts: { language } }, reply) =>
    sendPlainPage(reply.header('Cache-Control', 'no-cache'), {
      status: 200,
      language,
      title: 'API',
      content: pages[language],
    }),
  )
}

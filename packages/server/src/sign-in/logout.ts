import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Sessions } from '../accounts/sessions.ts'
import { AppError } from '../http/app-error.ts'
import { isSentByOwnPage } from '../http/guard.ts'
import type { Language } from '../http/language.ts'
import { escapeHtml, sendPlainPage } from '../http/plain-page.ts'

const path = '/custom/logout'
const formField = 'csrf'

const texts: Record<Language, { title: string; question: string; yes: string; no: string }> = {
  zh: { title: '退出登录', question: '确定要退出登录吗？', yes: '退出登录', no: '返回' },
  en: { title: 'Sign out', question: 'Do you want to sign out?', yes: 'Sign out', no: 'Back' },
}

/**
 * Mounts `/custom/logout`. A POST of our own page, or a navigation that started on it, ends the session at once; any other
 * way in (a link or an image on another site, a bookmark, a prefetch) is asked first.
 */
export function registerLogout(app: FastifyInstance, { sessions }: { sessions: Sessions }): void {
  const end = async (request: FastifyRequest, reply: FastifyReply) => {
    const { actor } = request.browser
    if (actor !== null) await endUnlessEnded(sessions, actor)
    request.browser.endSession()
    return reply.redirect('/#/login', 303)
  }

  app.get(path, async (request, reply) => {
    if (request.browser.actor === null || isOwnNavigation(request)) return end(request, reply)
    return ask(request, reply, 200)
  })

  // A scope of its own: no other route reads forms.
  app.register(async scope => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_, body, done) => done(null, new URLSearchParams(String(body)).get(formField)),
    )
    scope.post(path, async (request, reply) => {
      const given = typeof request.body === 'string' ? request.body : undefined
      return isSentByOwnPage(request, given) ? end(request, reply) : ask(request, reply, 403)
    })
  })
}

// Two pages may sign out at once; the session is gone either way.
async function endUnlessEnded(
  sessions: Sessions,
  actor: NonNullable<FastifyRequest['browser']['actor']>,
): Promise<void> {
  try {
    await sessions.end(actor, actor.sessionId)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
  }
}

/** True for a navigation that began on our own page; browsers without Fetch Metadata are judged by the page they name. */
function isOwnNavigation({ headers, facts }: FastifyRequest): boolean {
  if (headers['sec-purpose'] !== undefined) return false
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' && headers['sec-fetch-mode'] === 'navigate'
  const from = headers.origin ?? headers.referer
  return from !== undefined && URL.parse(from)?.origin === facts.ownOrigin
}

function ask(request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply {
  const { language } = request.facts
  const text = texts[language]
  return sendPlainPage(reply, {
    status,
    language,
    title: text.title,
    isSmall: true,
    content: `<p>${text.question}</p>
<form method="post" action="${path}">
<input type="hidden" name="${formField}" value="${escapeHtml(request.browser.csrfValue)}">
<button class="main" type="submit">${text.yes}</button>
<a class="button" href="/">${text.no}</a>
</form>`,
  })
}

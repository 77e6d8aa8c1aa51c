import type { Logger } from '@homeport/runtime'
import { z } from 'zod'
import type { WechatSettings } from '../config.ts'
import { AppError } from '../http/app-error.ts'
import type { SsoAdapter } from './adapter.ts'
import { readBounded } from './read-bounded.ts'

/** WeChat has this many ms to answer. */
const timeoutMs = 10_000

const pageUrl = 'https://open.weixin.qq.com'
const defaultApiUrl = 'https://api.weixin.qq.com'

/** Error codes that speak of the code of one sign-on: invalid, used before, missing, expired. */
const refusals = [40_029, 40_163, 41_008, 42_003]

const tokenSchema = z.object({
  access_token: z.string().min(1),
  openid: z.string().min(1),
  unionid: z.string().min(1).optional(),
})

const personSchema = z.object({
  openid: z.string().min(1),
  nickname: z.string().default(''),
  unionid: z.string().min(1).optional(),
})

const errorSchema = z.object({ errcode: z.number() })

/**
 * Makes the adapter of WeChat's open platform for websites (网站应用微信登录): the page `qrconnect` with scope `snsapi_login`,
 * then `sns/oauth2/access_token` and `sns/userinfo`. WeChat knows neither PKCE nor nonce: state and the browser's binding hold.
 */
export function createWechatAdapter(
  settings: WechatSettings,
  { logger }: { logger: Logger },
): SsoAdapter {
  const { appId, secret, apiUrl = defaultApiUrl } = settings

  /** Asks WeChat. Its addresses carry the secret, as WeChat wants it: none may get into a log or an error. */
  async function ask<T>(path: string, query: Record<string, string>, schema: z.ZodType<T>) {
    const answer = await send(`${apiUrl}${path}?${new URLSearchParams(query)}`)
    const error = errorSchema.safeParse(answer)
    if (error.success && error.data.errcode !== 0) {
      const { errcode } = error.data
      if (refusals.includes(errcode)) throw new AppError('sso_refused')
      return fail(path, { errcode })
    }
    const parsed = schema.safeParse(answer)
    return parsed.success ? parsed.data : fail(path, { reason: 'unreadable answer' })
  }

  function fail(path: string, facts: Record<string, unknown>): never {
    logger.warn({ path, ...facts }, 'WeChat failed')
    throw new AppError('sso_unavailable')
  }

  async function send(address: string): Promise<unknown> {
    try {
      const response = await fetch(address, {
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      return JSON.parse((await readBounded(response)).toString('utf8'))
    } catch (error) {
      // The kind alone: the message of a failed request may name the address.
      return fail(new URL(address).pathname, {
        reason: error instanceof Error ? error.name : 'unknown',
      })
    }
  }

  return {
    name: 'wechat',
    label: '微信',
    way: 'redirect',
    subjects: 'outside',

    async loginUrl({ redirectUri, state }) {
      const query = new URLSearchParams({
        appid: appId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'snsapi_login',
        state,
      })
      return `${pageUrl}/connect/qrconnect?${query}#wechat_redirect`
    },

    async redeem({ code, begunAt }) {
      const token = await ask(
        '/sns/oauth2/access_token',
        { appid: appId, secret, code, grant_type: 'authorization_code' },
        tokenSchema,
      )
      const person = await ask(
        '/sns/userinfo',
        { access_token: token.access_token, openid: token.openid, lang: 'zh_CN' },
        personSchema,
      )
      // One person has one unionid for all apps of an operator, and an openid for each app.
      const unionId = person.unionid ?? token.unionid
      return {
        subject: unionId === undefined ? `openid ${appId} ${token.openid}` : `unionid ${unionId}`,
        // WeChat's page knows no session: it has the person confirm on the phone each time, after the sign-on began.
        authenticatedAt: begunAt,
        ...(person.nickname === '' ? {} : { displayName: person.nickname }),
      }
    },
  }
}

import { ownProvider, type SsoAdapter } from '../sso/adapter.ts'
import { loginPath } from './login-page.ts'
import { requestMs, type SsoProviderService } from './service.ts'

/** Our own provider as the sign-in page reaches every provider. It is in this process: no message in between can be forged. */
export function createHomeportAdapter(
  provider: Pick<SsoProviderService, 'begin' | 'redeem'>,
): SsoAdapter {
  return {
    name: ownProvider,
    label: '手机扫码',
    way: 'scan',
    subjects: 'user',
    answerMs: requestMs,
    async loginUrl(begin) {
      await provider.begin(begin)
      const url = new URL(loginPath, begin.redirectUri)
      url.search = String(
        new URLSearchParams({ state: begin.state, redirect_uri: begin.redirectUri }),
      )
      return url.href
    },
    async redeem(answer) {
      const { userId, epoch, authenticatedAt } = await provider.redeem(answer)
      return { subject: String(userId), epoch, authenticatedAt }
    },
  }
}

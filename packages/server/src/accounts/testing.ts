import type { SentMessage } from '@homeport/contract'
import type { TestBrowser, TestServer } from '../testing.ts'

/** What the server would have sent, in order. */
export async function readLetters(test: TestServer): Promise<SentMessage[]> {
  const box = await test.open({ address: '127.0.0.1' }).get('/api/development/outbox/')
  return box.json().toReversed()
}

/** The token of the link in a letter; empty where there is none. */
export const tokenIn = (letter: SentMessage | undefined): string =>
  /confirm_email=([\w-]+)/.exec(letter?.code ?? '')?.[1] ?? ''

/** Gives whoever is signed in an e-mail address, by the link that is sent to it. */
export async function ownEmail(
  test: TestServer,
  browser: TestBrowser,
  email: string,
): Promise<void> {
  await browser.send('PATCH', '/custom/profile/', { email })
  const token = (await readLetters(test)).map(tokenIn).findLast(text => text !== '')
  const answer = await browser.post('/api/user/email/confirm/', { token })
  if (answer.status !== 200) throw new Error(`not confirmed: ${answer.text}`)
}

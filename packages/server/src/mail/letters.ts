import { brand } from '@homeport/contract'
import type { Language } from '../http/language.ts'
import type { Letter } from './smtp.ts'

/** Asks whoever reads the mailbox to confirm it. */
export const writeConfirmation = (
  to: string,
  { link, username, language }: { link: string; username: string; language: Language },
): Letter =>
  language === 'zh'
    ? {
        to,
        subject: `【${brand}】确认邮箱`,
        text: `账号 ${username} 想使用这个邮箱。如果是您，请在 24 小时内打开：\n${link}\n\n如果不是您，请忽略这封邮件。\n`,
      }
    : {
        to,
        subject: `${brand}: confirm your e-mail address`,
        text: `The account ${username} wants to use this address. If this is you, open within 24 hours:\n${link}\n\nIf not, ignore this mail.\n`,
      }

/** Lets the owner of an account choose a new password. */
export const writeResetLink = (
  to: string,
  { link, username, language }: { link: string; username: string; language: Language },
): Letter =>
  language === 'zh'
    ? {
        to,
        subject: `【${brand}】重置密码`,
        text: `有人申请重置账号 ${username} 的密码。如果是您，请在 30 分钟内打开：\n${link}\n\n链接只能用一次。如果不是您，请忽略这封邮件，密码不会改变；也不要把链接转发给任何人。\n`,
      }
    : {
        to,
        subject: `${brand}: reset your password`,
        text: `Somebody asked to reset the password of the account ${username}. If this is you, open within 30 minutes:\n${link}\n\nThe link works once. If it was not you, ignore this mail: the password stays. Pass the link on to nobody.\n`,
      }

/** Goes to an address that belongs to an account already, in the place of a link. */
export const writeAddressInUse = (to: string, language: Language): Letter =>
  language === 'zh'
    ? {
        to,
        subject: `【${brand}】邮箱已在使用`,
        text: '有人想把这个邮箱用于另一个账号。它已经属于您的账号，什么都没有改变，您不用做任何事。\n',
      }
    : {
        to,
        subject: `${brand}: your address is in use`,
        text: 'Somebody wanted to use this address for another account. It belongs to yours; nothing has changed, and there is nothing to do.\n',
      }

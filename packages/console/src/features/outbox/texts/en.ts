import type { texts as model } from './zh-CN.ts'

/** Texts of the outbox of development. */
export const texts: typeof model = {
  title: 'Development outbox',
  detail:
    'In development no text message or mail is sent; the newest 100 are kept here. Only this computer can see them, and a restart empties the list.',
  empty: 'No messages yet',
  emptyDetail: 'A code that is sent shows up here.',
  kind: { sms: 'Text message', mail: 'Mail' },
  copy: 'Copy',
}

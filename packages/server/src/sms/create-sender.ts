import type { ServerContext } from '../context.ts'
import { createAliyunSender } from './aliyun.ts'
import { createOutboxSender } from './outbox-sender.ts'
import type { SmsSender } from './sender.ts'
import { createTencentSender } from './tencent.ts'

/** What carries text messages as configured; null where nothing does. Throws where the outbox is asked for outside development. */
export function createSmsSender({
  config,
  clock,
  outbox,
}: Pick<ServerContext, 'config' | 'clock' | 'outbox'>): SmsSender | null {
  const { sms } = config
  const parts = { clock, fetch: globalThis.fetch }
  switch (sms.way) {
    case 'off':
      return null
    case 'aliyun':
      return createAliyunSender(sms, parts)
    case 'tencent':
      return createTencentSender(sms, parts)
    case 'outbox':
      if (outbox === null) throw new Error('the outbox of text messages is for development alone')
      return createOutboxSender(outbox)
  }
}

import type { RouterRow } from '@homeport/contract'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'

/** When a device was last there, in words. */
export function LastSeen(props: { device: RouterRow }) {
  const { t } = useTranslation('devices')
  const { status, last_seen_at: lastSeenAt } = props.device
  if (status === 'online') return t('onlineNow')
  return lastSeenAt === null ? t('neverSeen') : <RelativeTime instant={lastSeenAt} />
}

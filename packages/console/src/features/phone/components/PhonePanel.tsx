import { maskPhone, type Profile } from '@homeport/contract'
import { Button, Tag } from 'antd'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { useDialog } from '../../../ui/use-dialog.ts'
import { useSettings } from '../../site/api/settings.ts'
import styles from './Phone.module.css'

const BindPhoneDialog = lazyPart(
  async () => (await import('./BindPhoneDialog.tsx')).BindPhoneDialog,
)

/** The bound number, masked, and the way to bind one or another. */
export function PhonePanel({ profile }: { profile: Profile }) {
  const { t } = useTranslation('phone')
  const { phone_number: phone, phone_bound_at: boundAt } = profile
  const isOn = useSettings()?.sign_in.includes('phone') ?? false
  const dialog = useDialog<'bind' | 'rebind'>()
  const kind = phone === '' ? 'bind' : 'rebind'
  return (
    <>
      <div className={styles.row}>
        <div>
          <div className={styles.number}>
            {phone === '' ? t('panel.none') : maskPhone(phone)}
            {profile.phone_verified && <Tag color="success">{t('panel.verified')}</Tag>}
          </div>
          {boundAt !== null && (
            <p className={styles.soft}>
              {t('panel.since')} <RelativeTime instant={boundAt} />
            </p>
          )}
        </div>
        {isOn && <Button onClick={() => dialog.show(kind)}>{t(`${kind}.open`)}</Button>}
      </div>
      {!isOn && <p className={styles.soft}>{t('panel.off')}</p>}
      {dialog.subject !== undefined && (
        <Suspense>
          <BindPhoneDialog kind={dialog.subject} phone={phone} frame={dialog.frame} />
        </Suspense>
      )}
    </>
  )
}

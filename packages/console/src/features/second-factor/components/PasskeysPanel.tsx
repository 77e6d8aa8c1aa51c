import type { Passkey } from '@homeport/contract'
import { Button, Tag } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { PanelWaiting } from '../../../ui/PanelWaiting.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { useDialog } from '../../../ui/use-dialog.ts'
import account from '../../account/components/Account.module.css'
import { usePasskeys } from '../api/passkeys.ts'
import { canUsePasskeys } from '../can-use-passkeys.ts'
import styles from './SecondFactor.module.css'

const AddPasskeyDialog = lazyPart(
  async () => (await import('./AddPasskeyDialog.tsx')).AddPasskeyDialog,
)
const RenamePasskeyDialog = lazyPart(
  async () => (await import('./PasskeyDialogs.tsx')).RenamePasskeyDialog,
)
const DeletePasskeyDialog = lazyPart(
  async () => (await import('./PasskeyDialogs.tsx')).DeletePasskeyDialog,
)

/** Own passkeys: added, renamed, taken away. */
export function PasskeysPanel() {
  const { t } = useTranslation('second-factor')
  const query = usePasskeys()
  const { data } = query
  const [isAdding, setAdding] = useState(false)
  const renaming = useDialog<Passkey>()
  const deleting = useDialog<Passkey>()
  if (data === undefined) return <PanelWaiting query={query} failed={t('failed')} />
  return (
    <>
      {data.length === 0 && <p className={account.soft}>{t('passkeys.none')}</p>}
      <ul className={account.rows}>
        {data.map(passkey => (
          <li key={passkey.id} className={account.row}>
            <div className={account.rowText}>
              <div className={account.rowTitle}>
                {passkey.name} {passkey.is_synced && <Tag>{t('passkeys.synced')}</Tag>}
              </div>
              <div className={account.soft}>
                {t('passkeys.added')} <RelativeTime instant={passkey.created_at} /> ·{' '}
                {passkey.last_used_at === null ? (
                  t('passkeys.unused')
                ) : (
                  <>
                    {t('passkeys.used')} <RelativeTime instant={passkey.last_used_at} />
                  </>
                )}
              </div>
            </div>
            <div className={styles.actions}>
              <Button
                size="small"
                aria-label={t('passkeys.renameName', { name: passkey.name })}
                onClick={() => renaming.show(passkey)}
              >
                {t('passkeys.rename')}
              </Button>
              <Button
                size="small"
                danger
                aria-label={t('passkeys.deleteName', { name: passkey.name })}
                onClick={() => deleting.show(passkey)}
              >
                {t('passkeys.delete')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {canUsePasskeys() ? (
        <Button style={{ marginTop: 12 }} onClick={() => setAdding(true)}>
          {t('passkeys.add')}
        </Button>
      ) : (
        <p className={account.soft}>{t('passkeys.unavailable')}</p>
      )}
      <Suspense>
        {isAdding && <AddPasskeyDialog onClose={() => setAdding(false)} />}
        {renaming.subject !== undefined && (
          <RenamePasskeyDialog passkey={renaming.subject} frame={renaming.frame} />
        )}
        {deleting.subject !== undefined && (
          <DeletePasskeyDialog passkey={deleting.subject} frame={deleting.frame} />
        )}
      </Suspense>
    </>
  )
}

import type { Identity } from '@homeport/contract'
import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { isAborted } from '../../../ui/describe-error.ts'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import { PanelWaiting } from '../../../ui/PanelWaiting.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { type DialogFrame, useDialog } from '../../../ui/use-dialog.ts'
import account from '../../account/components/Account.module.css'
import { useSettings } from '../../site/api/settings.ts'
import { useIdentities, useLinkIdentity, useUnlinkIdentity } from '../api/identities.ts'
import { useProviderName } from '../provider-name.ts'
import styles from './Sso.module.css'

/** 第三方登录: own identities at other services; linked, taken away. */
export function IdentitiesPanel() {
  const { t } = useTranslation(['sso', 'common'])
  const query = useIdentities()
  const { data } = query
  const providers = (useSettings()?.sso.providers ?? []).filter(({ way }) => way === 'redirect')
  const nameOf = useProviderName()
  const linking = useLinkIdentity()
  const unlinking = useDialog<Identity>()
  if (data === undefined) return <PanelWaiting query={query} failed={t('identities.failed')} />
  const labelOf = (name: string) => providers.find(each => each.name === name)?.label ?? name
  const titleOf = ({ provider, display_name: shown }: Identity) => {
    const name = nameOf({ name: provider, label: labelOf(provider) })
    return shown === '' ? name : `${name} · ${shown}`
  }
  const linkable = providers.filter(({ name }) => !data.some(({ provider }) => provider === name))
  const none = providers.length === 0 ? 'identities.unavailable' : 'identities.none'
  return (
    <>
      {data.length === 0 && <p className={account.soft}>{t(none)}</p>}
      <ul className={account.rows}>
        {data.map(identity => (
          <li key={identity.id} className={account.row}>
            <div className={account.rowText}>
              <div className={account.rowTitle}>{titleOf(identity)}</div>
              <div className={account.soft}>
                {t('identities.linked')} <RelativeTime instant={identity.created_at} /> ·{' '}
                {identity.last_used_at === null ? (
                  t('identities.unused')
                ) : (
                  <>
                    {t('identities.used')} <RelativeTime instant={identity.last_used_at} />
                  </>
                )}
              </div>
            </div>
            <Button
              size="small"
              danger
              aria-label={t('identities.unlinkName', { name: titleOf(identity) })}
              onClick={() => unlinking.show(identity)}
            >
              {t('identities.unlink')}
            </Button>
          </li>
        ))}
      </ul>
      <div className={styles.links}>
        {linkable.map(provider => (
          <Button
            key={provider.name}
            loading={linking.isPending && linking.variables === provider.name}
            onClick={() => linking.mutate(provider.name)}
          >
            {t('identities.link', { name: nameOf(provider) })}
          </Button>
        ))}
      </div>
      {!isAborted(linking.error) && (
        <FailureNotice title={t('identities.linkFailed')} error={linking.error} />
      )}
      {unlinking.subject !== undefined && (
        <UnlinkDialog
          key={unlinking.subject.id}
          id={unlinking.subject.id}
          name={titleOf(unlinking.subject)}
          frame={unlinking.frame}
        />
      )}
    </>
  )
}

function UnlinkDialog(props: { id: number; name: string; frame: DialogFrame }) {
  const { t } = useTranslation(['sso', 'common'])
  const { id, name, frame } = props
  const { mutate, isPending, error } = useUnlinkIdentity()
  return (
    <Modal
      {...frame}
      title={t('identities.unlinkTitle', { name })}
      okText={t('identities.unlink')}
      okButtonProps={{ danger: true }}
      cancelText={t('common:action.cancel')}
      confirmLoading={isPending}
      onOk={() => mutate(id, { onSuccess: frame.onCancel })}
    >
      <p>{t('identities.unlinkDetail')}</p>
      <FailureNotice title={t('identities.unlinkFailed')} error={error} />
    </Modal>
  )
}

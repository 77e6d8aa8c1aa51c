import { MailOutlined, PlusOutlined } from '@ant-design/icons'
import type { Invite } from '@homeport/contract'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Tag } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { formatInstant } from '../../../ui/instants.ts'
import { PageSkeleton } from '../../../ui/PageSkeleton.tsx'
import { useSettings } from '../../site/api/settings.ts'
import { useDeleteInvite } from '../api/delete-invite.ts'
import { invitesQuery } from '../api/list-invites.ts'
import { readInviteState } from '../invite-state.ts'
import { DeleteButton } from './DeleteButton.tsx'
import { StaffList, type StaffRow } from './StaffList.tsx'

const NewInviteDialog = lazy(async () => ({
  default: (await import('./NewInviteDialog.tsx')).NewInviteDialog,
}))

/** Sign-up links: make, watch, take back. */
export function InvitesPanel() {
  const { t } = useTranslation('staff')
  const settings = useSettings()
  const { data, error, refetch, isFetching } = useQuery(invitesQuery)
  const [isMaking, setMaking] = useState(false)
  const toRow = useInviteRow()

  if (data === undefined) {
    if (error === null) return <PageSkeleton />
    return <ErrorState error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
  }
  const make = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setMaking(true)}>
      {t('invites.make')}
    </Button>
  )
  return (
    <>
      {settings?.signup === 'off' && (
        <Alert
          type="warning"
          showIcon
          title={t('invites.signupOff')}
          style={{ marginBottom: 16 }}
        />
      )}
      {data.length === 0 ? (
        <EmptyState
          icon={<MailOutlined />}
          title={t('invites.empty')}
          detail={t('invites.emptyDetail')}
          action={make}
        />
      ) : (
        <>
          {make}
          <StaffList rows={data.map(toRow)} />
        </>
      )}
      {isMaking && (
        <Suspense>
          <NewInviteDialog onClose={() => setMaking(false)} />
        </Suspense>
      )}
    </>
  )
}

const colors = { open: 'processing', used: 'success', expired: 'default' } as const

function useInviteRow(): (invite: Invite) => StaffRow {
  const { t } = useTranslation('staff')
  const deletion = useDeleteInvite()
  return invite => {
    const state = readInviteState(invite, Date.now())
    const name = invite.remark === '' ? t('invites.nameless') : invite.remark
    const { used_by, used_at, expires_at } = invite
    return {
      id: invite.id,
      name: (
        <>
          {name} <Tag color={colors[state]}>{t(`invites.state.${state}`)}</Tag>
        </>
      ),
      facts:
        used_at === null
          ? t('invites.expires', { when: formatInstant(expires_at) })
          : t('invites.usedBy', { name: used_by ?? '', when: formatInstant(used_at) }),
      action:
        state === 'used' ? null : (
          <DeleteButton
            label={t('invites.delete', { name })}
            question={t('invites.deleteQuestion')}
            onDelete={() => deletion.mutateAsync(invite.id)}
          />
        ),
    }
  }
}

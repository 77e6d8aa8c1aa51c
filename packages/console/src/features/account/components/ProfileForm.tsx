import { CallError, type Profile } from '@homeport/contract'
import { Button, Form, Input, Tag } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changedFields } from '../../../ui/changed-fields.ts'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import { placeAccountProblems } from '../account-problems.ts'
import { usePatchProfile } from '../api/patch-profile.ts'
import styles from './Account.module.css'

interface Values {
  username: string
}

const roles = [
  ['is_superuser', 'superuser'],
  ['is_staff', 'staff'],
  ['is_promoter', 'promoter'],
] as const

/** User name and roles. Only what was changed is sent. */
export function ProfileForm(props: { profile: Profile }) {
  const { t } = useTranslation('account')
  const { profile } = props
  const [form] = Form.useForm<Values>()
  const { mutate, isPending, isSuccess, error, reset } = usePatchProfile(profile.id)
  const [opened, setOpened] = useState<Values>({ username: profile.username })
  const placed = error instanceof CallError ? placeAccountProblems(error) : []

  const save = (values: Values) =>
    mutate(changedFields(values, opened), {
      onSuccess: ({ username }) => {
        form.setFieldsValue({ username })
        setOpened({ username })
      },
      onError: failure => {
        if (!(failure instanceof CallError)) return
        for (const problem of placeAccountProblems(failure)) {
          if (problem.field === 'username') {
            const text = t(`problems.username.${problem.code}`)
            form.setFields([{ name: 'username', errors: [text] }])
          }
        }
      },
    })
  const held = roles.filter(([flag]) => profile[flag])
  return (
    <>
      <div className={styles.tags}>
        {held.length === 0 ? (
          <Tag>{t('profile.member')}</Tag>
        ) : (
          held.map(([flag, name]) => (
            <Tag key={flag} color="processing">
              {t(`profile.${name}`)}
            </Tag>
          ))
        )}
      </div>
      <Form
        form={form}
        name="profile"
        layout="vertical"
        requiredMark={false}
        initialValues={opened}
        onValuesChange={() => reset()}
        onFinish={save}
        className={styles.form ?? ''}
      >
        <Form.Item
          name="username"
          label={t('profile.username')}
          extra={t('profile.usernameDetail')}
          normalize={(text: string) => text.trim()}
          rules={[{ required: true, message: t('problems.username.required') }]}
        >
          <Input maxLength={32} autoComplete="username" spellCheck={false} />
        </Form.Item>
        {placed.length === 0 && <FailureNotice title={t('saveFailed')} error={error} />}
        <Button type="primary" htmlType="submit" loading={isPending}>
          {t('save')}
        </Button>{' '}
        <span role="status" className={styles.done}>
          {isSuccess && t('saved')}
        </span>
      </Form>
    </>
  )
}

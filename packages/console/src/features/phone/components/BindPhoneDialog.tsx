import { CallError, maskPhone } from '@homeport/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Modal } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { keepAnswer } from '../../../app/keep-answer.ts'
import { isAborted, useErrorText } from '../../../ui/describe-error.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useRecentSignIn } from '../../../ui/Reauthenticate.tsx'
import type { DialogFrame } from '../../../ui/use-dialog.ts'
import { useFields } from '../../../ui/use-fields.ts'
import { profileQuery } from '../../sign-in/api/profile.ts'
import { bindByCode, rebindByCodes, sendSms } from '../api/phone.ts'
import { usePhoneChecks } from '../use-phone-checks.ts'
import { CodeField } from './CodeField.tsx'
import { PhoneField } from './PhoneField.tsx'

/** Binds a number with its code; another one with a code of the old number, too. */
export function BindPhoneDialog(props: {
  kind: 'bind' | 'rebind'
  /** The number that is bound now. */
  phone: string
  frame: DialogFrame
}) {
  const { t } = useTranslation(['phone', 'common'])
  const formId = useId()
  const { kind, phone: oldPhone, frame } = props
  const checks = usePhoneChecks()
  const withRecentSignIn = useRecentSignIn()
  const queryClient = useQueryClient()
  const errorText = useErrorText()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const fields = useFields(
    { oldCode: '', phone: '', code: '' },
    {
      oldCode: kind === 'rebind' ? checks.code : () => undefined,
      phone: checks.phone,
      code: checks.code,
    },
  )
  const send: typeof sendSms = body => withRecentSignIn(() => sendSms(body))

  /** Puts what is wrong under its field; false where it belongs to none. */
  const complain = (error: unknown): boolean => {
    if (!(error instanceof CallError)) return false
    if (error.code === 'phone_taken') {
      fields.complain({ phone: t('problem.phone_taken') })
      return true
    }
    if (error.code !== 'sms_code_wrong') return false
    const isWrong = (path: string) => error.errors.some(problem => problem.path === path)
    const text = t('problem.code_wrong')
    fields.complain({
      ...(isWrong('old_code') ? { oldCode: text } : {}),
      ...(isWrong('code') ? { code: text } : {}),
    })
    return true
  }

  const submit = async ({ oldCode, phone, code }: typeof fields.values) => {
    setBusy(true)
    setFailure(undefined)
    try {
      const profile = await withRecentSignIn(() =>
        kind === 'bind'
          ? bindByCode({ phone, code })
          : rebindByCodes({ old_code: oldCode, phone, code }),
      )
      await keepAnswer(queryClient, profileQuery.queryKey, () => profile)
      frame.onCancel()
    } catch (error) {
      if (!complain(error) && !isAborted(error)) setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      {...frame}
      title={t(`${kind}.title`)}
      okText={t(`${kind}.submit`)}
      okButtonProps={{ htmlType: 'submit', form: formId }}
      cancelText={t('common:action.cancel')}
      confirmLoading={isBusy}
      destroyOnHidden
    >
      <p>{t(`${kind}.detail`)}</p>
      <form id={formId} ref={fields.form} noValidate onSubmit={fields.onSubmit(submit)}>
        {failure !== undefined && <Notice tone="error">{errorText(failure)}</Notice>}
        {kind === 'rebind' && (
          <CodeField
            label={t('rebind.oldCode', { phone: maskPhone(oldPhone) })}
            field={fields.bind('oldCode')}
            scene="rebind"
            send={send}
            autoFocus
          />
        )}
        <PhoneField
          field={fields.bind('phone')}
          label={t(kind === 'bind' ? 'phone' : 'rebind.phone')}
          autoFocus={kind === 'bind'}
        />
        <CodeField
          label={t(kind === 'bind' ? 'code' : 'rebind.code')}
          field={fields.bind('code')}
          scene={kind}
          captcha={kind}
          send={send}
          readPhone={() => fields.readValid('phone')}
        />
      </form>
    </Modal>
  )
}

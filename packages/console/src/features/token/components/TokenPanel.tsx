import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import type { Profile } from '@homeport/contract'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { maskToken } from '../mask-token.ts'
import styles from './Token.module.css'

const ResetTokenDialog = lazyPart(
  async () => (await import('./ResetTokenDialog.tsx')).ResetTokenDialog,
)

/** The account's token: hidden until asked for, to copy, to replace. */
export function TokenPanel(props: { profile: Profile }) {
  const { t } = useTranslation('token')
  const { token } = props.profile
  const [isShown, setShown] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [isReset, setReset] = useState(false)
  return (
    <>
      <p className={styles.detail}>{t('detail')}</p>
      <code className={styles.token}>{isShown ? token : maskToken(token)}</code>
      <div className={styles.actions}>
        <Button
          icon={isShown ? <EyeInvisibleOutlined /> : <EyeOutlined />}
          onClick={() => setShown(!isShown)}
        >
          {t(isShown ? 'hide' : 'show')}
        </Button>
        <CopyButton text={token} label={t('copy')} />
        <Button danger onClick={() => setAsking(true)}>
          {t('reset')}
        </Button>
        <span role="status" className={styles.done}>
          {isReset && t('resetDone')}
        </span>
      </div>
      <Suspense>
        <ResetTokenDialog
          isOpen={isAsking}
          onCancel={() => setAsking(false)}
          onReset={() => {
            setAsking(false)
            setReset(true)
          }}
        />
      </Suspense>
    </>
  )
}

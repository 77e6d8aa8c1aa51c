import type { CaptchaScene } from '@homeport/contract'
import { Button, Modal } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../../ui/describe-error.ts'
import type { DialogFrame } from '../../../ui/use-dialog.ts'
import { type PictureCaptcha, useCaptcha } from '../use-captcha.ts'
import styles from './Captcha.module.css'
import { CaptchaKeys, startOf } from './CaptchaKeys.tsx'
import { CaptchaWidget, type Moved } from './CaptchaWidget.tsx'

interface DialogProps {
  scene: CaptchaScene
  frame: DialogFrame
  onTicket: (ticket: string) => void
}

/** A challenge in a dialog, with a way by keyboard and one without eyes. */
export function CaptchaDialog({ frame, ...rest }: DialogProps) {
  const { t } = useTranslation('captcha')
  return (
    <Modal
      {...frame}
      title={t('title')}
      width="min(358px, 100vw - 16px)"
      footer={null}
      destroyOnHidden
      styles={{ container: { paddingInline: 8 }, header: { paddingInline: 8 } }}
    >
      <CaptchaBody {...rest} onClose={frame.onCancel} />
    </Modal>
  )
}

function CaptchaBody(props: Omit<DialogProps, 'frame'> & { onClose: () => void }) {
  const { t } = useTranslation('captcha')
  const errorText = useErrorText()
  const captcha = useCaptcha(props.scene, props.onTicket)
  const { challenge, phase, failure, isWrong } = captcha
  const [moved, setMoved] = useState<{ of: PictureCaptcha; at: Moved } | null>(null)
  const stage = useRef<HTMLDivElement>(null)
  const lastKind = useRef<PictureCaptcha['kind']>('slide')
  if (challenge !== null) lastKind.current = challenge.kind
  const at = challenge !== null && moved?.of === challenge ? moved.at : null

  const describeChallenge = () => {
    if (isWrong) return t('wrong')
    return challenge === null ? '' : t(`hint.${challenge.kind}`)
  }
  const status =
    failure !== null ? errorText(failure) : phase === 'ready' ? describeChallenge() : t(phase)

  const confirmByKeys = () => {
    if (challenge === null) return
    if (challenge.kind === 'click') {
      stage.current?.querySelector<HTMLButtonElement>('button')?.click()
      return
    }
    const { x, y } = at ?? startOf(challenge)
    void captcha.answer(challenge.kind === 'rotate' ? { angle: x } : { x, y })
  }
  return (
    <div className={styles.body}>
      <div className={styles.stage} ref={stage} inert={phase !== 'ready' || challenge === null}>
        <CaptchaWidget
          key={challenge?.key ?? 'none'}
          challenge={challenge}
          kind={lastKind.current}
          moved={at}
          onMove={captcha.note}
          onConfirm={value => void captcha.answer(value)}
          onRefresh={() => void captcha.refresh()}
          onClose={props.onClose}
        />
        {challenge?.kind === 'click' && at !== null && (
          <span className={styles.mark} style={placeOfMark(stage.current, at)} aria-hidden />
        )}
      </div>
      <p
        className={styles.status}
        role="status"
        data-tone={failure !== null || (isWrong && phase === 'ready') ? 'error' : undefined}
      >
        {status}
      </p>
      {phase === 'working' && (
        <progress className={styles.progress} aria-label={t('working')} value={captcha.workShare} />
      )}
      {challenge !== null && (
        <CaptchaKeys
          challenge={challenge}
          at={at ?? startOf(challenge)}
          onMove={next => {
            setMoved({ of: challenge, at: next })
            if (challenge.kind !== 'click') captcha.note(next.x, next.y)
          }}
          onClick={() => clickPicture(stage.current, at ?? startOf(challenge))}
          onConfirm={confirmByKeys}
        />
      )}
      <div>
        <Button type="link" onClick={() => void captcha.refresh()}>
          {t('refresh')}
        </Button>
        <Button type="link" disabled={phase === 'working'} onClick={() => void captcha.work()}>
          {t('work')}
        </Button>
      </div>
    </div>
  )
}

/** The picture inside the widget, which the library gives no other handle to. */
const pictureIn = (stage: HTMLElement | null) =>
  [...(stage?.querySelectorAll('img') ?? [])].find(image => image.clientHeight > 100)

function placeOfMark(stage: HTMLElement | null, { x, y }: Moved) {
  const picture = pictureIn(stage)?.getBoundingClientRect()
  const frame = stage?.getBoundingClientRect()
  if (picture === undefined || frame === undefined) return {}
  return { left: picture.left - frame.left + x, top: picture.top - frame.top + y }
}

// The click of a mouse at that place: the widget sets its dot and tells of it as always.
function clickPicture(stage: HTMLElement | null, { x, y }: Moved): void {
  const picture = pictureIn(stage)
  if (picture === undefined) return
  const { left, top } = picture.getBoundingClientRect()
  picture.dispatchEvent(
    new MouseEvent('click', { bubbles: true, clientX: left + x, clientY: top + y }),
  )
}

import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { drawQrCode, qrDefaults } from './qr-code.ts'

/** A QR code on a canvas. What cannot be drawn is logged and said in words. `label` names it for screen readers. */
export function QrCode(props: { data: string; label: string; width?: number; version?: number }) {
  const { t } = useTranslation()
  const { data, label, width = qrDefaults.width, version } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const [hasFailed, setFailed] = useState(false)

  useEffect(() => {
    if (canvas.current === null) return
    drawQrCode(canvas.current, data, version === undefined ? { width } : { width, version }).then(
      () => setFailed(false),
      error => {
        console.error('QR code', error)
        setFailed(true)
      },
    )
  }, [data, width, version])

  return (
    <>
      <canvas
        ref={canvas}
        width={width}
        height={width}
        role="img"
        aria-label={label}
        hidden={hasFailed}
        style={{ maxWidth: '100%' }}
      />
      {hasFailed && <p role="alert">{t('qr.failed')}</p>}
    </>
  )
}

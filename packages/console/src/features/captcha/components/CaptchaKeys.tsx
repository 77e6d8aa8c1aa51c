import { Button } from 'antd'
import { type KeyboardEvent, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { PictureCaptcha } from '../use-captcha.ts'
import { clickSettings } from '../widget-settings.ts'
import styles from './Captcha.module.css'
import type { Moved } from './CaptchaWidget.tsx'

const largeStep = 10

/**
 * The same challenge by keyboard: arrow keys move by 1, with Shift by 10. Shown when the focus comes here; a screen reader
 * hears the value of each slider as it changes.
 */
export function CaptchaKeys(props: {
  challenge: PictureCaptcha
  at: Moved
  onMove: (at: Moved) => void
  onClick: () => void
  onConfirm: () => void
}) {
  const { t } = useTranslation('captcha')
  const { challenge, at, onMove } = props
  const ranges = rangesOf(challenge)
  return (
    <fieldset className={styles.keys}>
      <legend>{t('keys.title')}</legend>
      <p>{t('keys.help')}</p>
      {ranges.map(({ axis, name, min, max }) => (
        <Slider
          key={axis}
          label={t(`keys.${name}`)}
          value={at[axis]}
          min={min}
          max={max}
          onChange={value => onMove({ ...at, [axis]: value })}
        />
      ))}
      {challenge.kind === 'click' && <Button onClick={props.onClick}>{t('keys.click')}</Button>}
      <Button type="primary" onClick={props.onConfirm}>
        {t('keys.confirm')}
      </Button>
    </fieldset>
  )
}

/** Where the keyboard begins. */
export function startOf(challenge: PictureCaptcha): Moved {
  switch (challenge.kind) {
    case 'click':
      return { x: clickSettings.width / 2, y: clickSettings.height / 2 }
    case 'rotate':
      return { x: challenge.angle, y: 0 }
    case 'slide':
    case 'slide_region':
      return { x: challenge.thumbX, y: challenge.thumbY }
  }
}

interface Range {
  axis: 'x' | 'y'
  name: 'x' | 'y' | 'angle'
  min: number
  max: number
}

function rangesOf(challenge: PictureCaptcha): Range[] {
  const { width, height } = clickSettings
  switch (challenge.kind) {
    case 'rotate':
      return [{ axis: 'x', name: 'angle', min: challenge.angle, max: 360 }]
    case 'slide':
      return [{ axis: 'x', name: 'x', min: challenge.thumbX, max: width - challenge.thumbWidth }]
    case 'slide_region':
      return [
        { axis: 'x', name: 'x', min: 0, max: width - challenge.thumbWidth },
        { axis: 'y', name: 'y', min: 0, max: height - challenge.thumbHeight },
      ]
    case 'click':
      return [
        { axis: 'x', name: 'x', min: 0, max: width - 1 },
        { axis: 'y', name: 'y', min: 0, max: height - 1 },
      ]
  }
}

function Slider(props: {
  label: string
  value: number
  min: number
  max: number
  onChange: (value: number) => void
}) {
  const id = useId()
  const { value, min, max, onChange } = props
  const step = (event: KeyboardEvent) => {
    const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
    if (direction === undefined || !event.shiftKey) return
    event.preventDefault()
    onChange(Math.min(Math.max(value + direction * largeStep, min), max))
  }
  return (
    <label className={styles.slider} htmlFor={id}>
      {props.label}
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={1}
        value={value}
        onKeyDown={step}
        onChange={event => onChange(event.target.valueAsNumber)}
      />
      <output htmlFor={id}>{value}</output>
    </label>
  )
}

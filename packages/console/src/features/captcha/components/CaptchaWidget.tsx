import type { CaptchaKind, CaptchaValue } from '@homeport/contract'
import { useMemo } from 'react'
import type { PictureCaptcha } from '../use-captcha.ts'
import {
  clickSettings,
  rotateSettings,
  slideRegionSettings,
  slideSettings,
} from '../widget-settings.ts'
import { Click, Rotate, Slide, SlideRegion } from '../widgets.ts'

/** Where a keyboard moved the tile (x, y) or the disc (angle as x). */
export interface Moved {
  x: number
  y: number
}

/** What a widget tells its parent; it talks to nobody else. */
export interface WidgetEvents {
  onMove: (x: number, y: number) => void
  onConfirm: (value: CaptchaValue) => void
  onRefresh: () => void
  onClose: () => void
}

const emptyTile = { image: '', thumb: '', thumbX: 0, thumbY: 0, thumbWidth: 0, thumbHeight: 0 }

/**
 * The widget of a challenge; without one that of `kind` with nothing in it. `moved` lays the tile or disc where the
 * keyboard has it. A new challenge is a new widget (by its key), so no input outlives its picture.
 */
export function CaptchaWidget(
  props: {
    challenge: PictureCaptcha | null
    kind: CaptchaKind
    moved: Moved | null
  } & WidgetEvents,
) {
  const { challenge, kind, moved, onMove, onConfirm, onRefresh, onClose } = props
  const events = { refresh: onRefresh, close: onClose }
  const data = useMemo(() => place(challenge, moved), [challenge, moved])
  switch (challenge?.kind ?? kind) {
    case 'click':
      return (
        <Click
          config={clickSettings}
          data={data?.kind === 'click' ? data : { image: '', thumb: '' }}
          events={{
            ...events,
            click: onMove,
            confirm: dots => {
              if (dots.length > 0) onConfirm(dots.map(({ x, y }) => ({ x, y })))
            },
          }}
        />
      )
    case 'slide':
      return (
        <Slide
          config={slideSettings}
          data={data?.kind === 'slide' ? data : emptyTile}
          events={{ ...events, move: onMove, confirm: point => onConfirm(roundPoint(point)) }}
        />
      )
    case 'slide_region':
      return (
        <SlideRegion
          config={slideRegionSettings}
          data={data?.kind === 'slide_region' ? data : emptyTile}
          events={{ ...events, move: onMove, confirm: point => onConfirm(roundPoint(point)) }}
        />
      )
    case 'rotate':
      return (
        <Rotate
          config={rotateSettings}
          data={data?.kind === 'rotate' ? data : { image: '', thumb: '', angle: 0, thumbSize: 0 }}
          events={{
            ...events,
            rotate: angle => onMove(angle, 0),
            confirm: angle => onConfirm({ angle: Math.round(angle) }),
          }}
        />
      )
  }
}

const roundPoint = ({ x, y }: Moved) => ({ x: Math.round(x), y: Math.round(y) })

function place(challenge: PictureCaptcha | null, moved: Moved | null): PictureCaptcha | null {
  if (challenge === null || moved === null) return challenge
  switch (challenge.kind) {
    case 'click':
      return challenge
    case 'slide':
      return { ...challenge, thumbX: moved.x }
    case 'slide_region':
      return { ...challenge, thumbX: moved.x, thumbY: moved.y }
    case 'rotate':
      return { ...challenge, angle: moved.x }
  }
}

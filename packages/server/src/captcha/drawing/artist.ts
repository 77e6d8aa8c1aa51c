import type { CaptchaKind } from '@homeport/contract'
import { createPen } from './characters.ts'
import { type DrawnClicks, drawClicks } from './clicks.ts'
import { type DrawnDisc, drawDisc } from './disc.ts'
import { registerFonts } from './glyphs.ts'
import { createGrain } from './grain.ts'
import type { Random } from './random.ts'
import { type DrawnTile, drawSlide, drawSlideRegion } from './tiles.ts'

/** A challenge before it has a key: what the browser is shown, and the answer it is not. */
export type Drawn =
  | ({ kind: 'click' } & DrawnClicks)
  | ({ kind: 'slide' } & DrawnTile)
  | ({ kind: 'slide_region' } & DrawnTile)
  | ({ kind: 'rotate' } & DrawnDisc)

/** Draws challenges. */
export type Artist = (kind: CaptchaKind) => Drawn

/** Makes an artist; everything it draws comes from `random`. */
export function createArtist(random: Random): Artist {
  registerFonts()
  const tools = { random, grain: createGrain(random), pen: createPen(random) }
  return kind => {
    switch (kind) {
      case 'click':
        return { kind, ...drawClicks(tools) }
      case 'slide':
        return { kind, ...drawSlide(tools) }
      case 'slide_region':
        return { kind, ...drawSlideRegion(tools) }
      case 'rotate':
        return { kind, ...drawDisc(tools) }
    }
  }
}

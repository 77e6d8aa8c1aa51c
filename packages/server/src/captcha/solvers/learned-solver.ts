import { createCanvas } from '@napi-rs/canvas'
import { createPen } from '../drawing/characters.ts'
import { fontFamilies, glyphs, registerFonts } from '../drawing/glyphs.ts'
import type { Grain } from '../drawing/grain.ts'
import { looseHand } from '../drawing/hands.ts'
import { scratch, shade } from '../drawing/picture.ts'
import { between, choose, type Random } from '../drawing/random.ts'
import { type EdgeMaps, featuresAt, mapEdges } from './features.ts'
import { toGrey } from './grey.ts'
import { type LinearReader, learn, type Sample } from './linear-reader.ts'
import type { Puzzle } from './puzzle.ts'

// Written by somebody who has the source: it draws thousands of characters with the same code, learns what each looks like in
// each font, reads the labels, and looks for what it read.

/** Size in px of the characters it learns from; others are looked at as if they had that size. */
const learntSize = 43

/** Side of the square that is looked at, as a share of a character's size. */
const reach = 1.25

/** Readings of a label that are looked for. */
const readingLimit = 40

const classOf = (glyph: number, font: number) => glyph * fontFamilies.length + font

/** Draws pages of characters and learns to tell them apart; `repeats` of each in each font. */
export function learnCharacters(random: Random, grain: Grain, repeats: number): LinearReader {
  registerFonts()
  const pen = createPen(random)
  const [columns, rows, pitch] = [5, 4, 54]
  const samples: Sample[] = []
  const context = createCanvas(columns * pitch, rows * pitch).getContext('2d')
  const { width, height } = context.canvas
  const indexes = glyphs.map((_, index) => index)
  fontFamilies.forEach((font, fontIndex) => {
    const list = Array.from({ length: repeats }, () =>
      choose(random, indexes, indexes.length),
    ).flat()
    for (let from = 0; from < list.length; from += columns * rows) {
      grain.fill(context, between(random, 0, Math.PI))
      shade(context, random, width, height)
      const placed = list.slice(from, from + columns * rows).map((glyph, index) => ({
        glyph,
        x: Math.round(((index % columns) + 0.5) * pitch + between(random, -3, 3)),
        y: Math.round((Math.floor(index / columns) + 0.5) * pitch + between(random, -3, 3)),
      }))
      for (const { glyph, x, y } of placed) {
        const size = learntSize * between(random, 0.95, 1.05)
        pen.draw(context, { text: glyphs[glyph] ?? '', font, x, y, size }, looseHand)
      }
      scratch(context, random, width, height, 9)
      const maps = mapEdges(toGrey(context.getImageData(0, 0, width, height)))
      for (const { glyph, x, y } of placed) {
        const off = () => between(random, -1.5, 1.5)
        const features = featuresAt(maps, x + off(), y + off(), learntSize * reach)
        samples.push({ label: classOf(glyph, fontIndex), features })
      }
    }
  })
  return learn(samples, glyphs.length * fontFamilies.length)
}

interface Reading {
  glyph: number
  font: number
  score: number
}

function readLabel(reader: LinearReader, maps: EdgeMaps, size: number): Reading[] {
  const around = [-2, 0, 2].flatMap(right =>
    [-2, 0, 2].map(down =>
      featuresAt(maps, maps.width / 2 + right, maps.height / 2 + down, size * reach),
    ),
  )
  return glyphs.flatMap((_, glyph) =>
    fontFamilies.map((_, font) => ({
      glyph,
      font,
      score: Math.max(...around.map(each => reader.score(each, classOf(glyph, font)))),
    })),
  )
}

/** How well each label's readings fit at each spot, for every pair of fonts: all of a picture is in one. */
export function scoreByReading(reader: LinearReader, puzzle: Puzzle): number[][][] {
  const maps = mapEdges(puzzle.picture)
  const features = puzzle.spots.map(({ x, y }) => featuresAt(maps, x, y, puzzle.size * reach))
  const readings = puzzle.labels.map(({ picture, size }) =>
    readLabel(reader, mapEdges(picture), size)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, readingLimit),
  )
  return fontFamilies.flatMap((_, font) =>
    fontFamilies.flatMap((_, labelFont) => {
      if (font === labelFont) return []
      return [
        readings.map(all => {
          const fitting = all.filter(reading => reading.font === labelFont)
          return features.map(each =>
            fitting.reduce(
              (best, { glyph, score }) =>
                Math.max(best, score + reader.score(each, classOf(glyph, font))),
              unreadable,
            ),
          )
        }),
      ]
    }),
  )
}

/** Score of a label that nobody reads in a font: lower than any. */
const unreadable = -1e6

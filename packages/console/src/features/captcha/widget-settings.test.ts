import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { texts } from './texts/zh-CN.ts'
import {
  buttonSettings,
  buttonTitle,
  clickSettings,
  rotateSettings,
  slideRegionSettings,
  slideSettings,
} from './widget-settings.ts'
import { Button, Click, Rotate, Slide, SlideRegion } from './widgets.ts'

const image = 'data:image/png;base64,AAAA'
const tile = { image, thumb: image, thumbX: 7, thumbY: 30, thumbWidth: 56, thumbHeight: 56 }
const frame =
  'width:326px;padding-left:12px;padding-right:12px;padding-top:16px;padding-bottom:16px'
const icon = /<svg[^>]* width="22" height="22"/g

describe('the widgets of client.md section 9', () => {
  it('click: 300x220, thumb 150x40, paddings 16 and 12, icons 22, its title and button', () => {
    const html = renderToStaticMarkup(
      createElement(Click, { config: clickSettings, data: { image, thumb: image } }),
    )
    expect(html).toContain(frame)
    expect(html).toContain('width:300px;height:220px')
    expect(html).toContain('width:150px;height:40px')
    expect(html).toContain('请在下图依次点击')
    expect(html).toContain('>确认</button>')
    expect(html.match(icon)).toHaveLength(2)
    expect(clickSettings.dotSize).toBe(24)
  })

  it('click: its button looks disabled until there is an image', () => {
    const draw = (given: string) =>
      renderToStaticMarkup(
        createElement(Click, {
          config: clickSettings,
          data: { image: given, thumb: given },
        }),
      )
    const disabled = /<button class="[^"]*disabled/
    expect(draw('')).toMatch(disabled)
    expect(draw(image)).not.toMatch(disabled)
  })

  it('slide: 300x220, the tile at its start, its title', () => {
    const html = renderToStaticMarkup(createElement(Slide, { config: slideSettings, data: tile }))
    expect(html).toContain(frame)
    expect(html).toContain('width:300px;height:220px')
    expect(html).toContain('width:56px;height:56px;top:30px;left:7px')
    expect(html).toContain('请拖动滑块完成拼图')
    expect(html.match(icon)).toHaveLength(2)
  })

  it('slide_region: a title of its own that names the tile', () => {
    const html = renderToStaticMarkup(
      createElement(SlideRegion, { config: slideRegionSettings, data: tile }),
    )
    expect(html).toContain(frame)
    expect(html).toContain('width:300px;height:220px')
    expect(html).toContain('请拖动拼图块完成拼图')
    expect(html).not.toContain('滑块')
    expect(html.match(icon)).toHaveLength(2)
  })

  it('rotate: 220, from the initial angle, the title of the slide', () => {
    const html = renderToStaticMarkup(
      createElement(Rotate, {
        config: rotateSettings,
        data: { image, thumb: image, angle: 25, thumbSize: 150 },
      }),
    )
    expect(html).toContain(frame)
    expect(html).toContain('width:220px;height:220px')
    expect(html).toContain('rotate(25deg)')
    expect(html).toContain('width:150px;height:150px')
    expect(html).toContain('请拖动滑块完成拼图')
    expect(html.match(icon)).toHaveLength(2)
  })

  it('button: 330x44, paddings 12 and 16, four types, its title', () => {
    const draw = (type?: 'default' | 'warn' | 'error' | 'success') =>
      renderToStaticMarkup(
        createElement(Button, {
          config: buttonSettings,
          ...(type === undefined ? {} : { type }),
        }),
      )
    expect(buttonSettings).toEqual({
      width: 330,
      height: 44,
      verticalPadding: 12,
      horizontalPadding: 16,
    })
    expect(draw()).toContain('width:330px;height:44px')
    expect(draw()).toContain(buttonTitle)
    expect(texts.state.needed).toBe(buttonTitle)
    const kinds = [undefined, 'warn', 'error', 'success'] as const
    expect(new Set(kinds.map(draw)).size).toBe(4)
    expect(draw('default')).toBe(draw())
  })
})

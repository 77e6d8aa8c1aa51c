// Defaults of client.md section 9, given to the widgets by name: a new version of the library changes none of them.

/** Sizes that all picture widgets share, in px. */
const frame = {
  width: 300,
  height: 220,
  verticalPadding: 16,
  horizontalPadding: 12,
  iconSize: 22,
  showTheme: true,
}

const sliderTitle = '请拖动滑块完成拼图'

/** The click widget. */
export const clickSettings = {
  ...frame,
  thumbWidth: 150,
  thumbHeight: 40,
  dotSize: 24,
  title: '请在下图依次点击',
  buttonText: '确认',
}

/** The slide widget. */
export const slideSettings = { ...frame, title: sliderTitle, scope: true }

/** The slide-region widget: what is dragged is the tile itself, and its title says so. */
export const slideRegionSettings = { ...frame, title: '请拖动拼图块完成拼图', scope: true }

/** The rotate widget. */
export const rotateSettings = { ...frame, size: 220, title: sliderTitle, scope: true }

/** The verification button. */
export const buttonSettings = {
  width: 330,
  height: 44,
  verticalPadding: 12,
  horizontalPadding: 16,
}

/** What the verification button says. */
export const buttonTitle = '点击按键进行验证'

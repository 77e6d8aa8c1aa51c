import imported from 'go-captcha-react'

type Widgets = (typeof imported)['default']

// The bundler gives the library's default export itself, Node the CommonJS module that holds it.
const widgets: Widgets = imported.default ?? (imported as unknown as Widgets)

/** The widgets of the library. */
export const { Click, Slide, SlideRegion, Rotate, Button } = widgets

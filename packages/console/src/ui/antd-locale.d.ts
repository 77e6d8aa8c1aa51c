// antd's ES modules lie in a package without "type": "module", so nodenext takes their default export for a CommonJS
// namespace. The bundler reads them as what they are; this says the same to the type checker.
declare module 'antd/es/locale/zh_CN.js' {
  import type { Locale } from 'antd/es/locale/index.js'

  const locale: Locale

  // biome-ignore lint/style/noDefaultExport: says what antd's file exports
  export { locale as default }
}

declare module 'antd/es/locale/en_US.js' {
  import type { Locale } from 'antd/es/locale/index.js'

  const locale: Locale

  // biome-ignore lint/style/noDefaultExport: says what antd's file exports
  export { locale as default }
}

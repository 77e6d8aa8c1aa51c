import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ConfigProvider } from 'antd'
import type { Locale } from 'antd/es/locale/index.js'
import zhCN from 'antd/es/locale/zh_CN.js'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { theme } from '../ui/theme.ts'

/** What every component stands in: the store, antd's language and the theme. */
export function Surroundings(props: { queryClient: QueryClient; children: ReactNode }) {
  return (
    <QueryClientProvider client={props.queryClient}>
      <ConfigProvider
        locale={useComponentTexts()}
        theme={theme}
        button={{ autoInsertSpace: false }}
      >
        {props.children}
      </ConfigProvider>
    </QueryClientProvider>
  )
}

/** The texts inside antd's components; the English ones are loaded when they are asked for. */
function useComponentTexts(): Locale {
  const { i18n } = useTranslation()
  const isEnglish = i18n.language === 'en'
  const [english, setEnglish] = useState<Locale>()
  useEffect(() => {
    if (!isEnglish) return
    import('antd/es/locale/en_US.js').then(
      module => setEnglish(module.default),
      error => console.error('component texts', error),
    )
  }, [isEnglish])
  return isEnglish ? (english ?? zhCN) : zhCN
}

import { GlobalOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { changeLanguage } from '../i18n/i18n.ts'
import { languages, readLanguage } from '../i18n/language.ts'

/** Goes on to the next language; its name stands on the button, in that language. */
export function LanguageSwitch(props: { compact?: boolean }) {
  const { t } = useTranslation()
  const current = readLanguage()
  const next = languages[(languages.indexOf(current) + 1) % languages.length] ?? languages[0]
  const name = t(`language.${next}`)
  return (
    <Button
      type="text"
      icon={<GlobalOutlined />}
      lang={next}
      aria-label={`${t('language.label')}: ${name}`}
      title={name}
      onClick={() => {
        changeLanguage(next).catch(error => console.error('language', error))
      }}
    >
      {props.compact ? null : name}
    </Button>
  )
}

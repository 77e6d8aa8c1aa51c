import type { SsoProvider } from '@homeport/contract'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/** A provider as people know it: WeChat has a name in each language, others the one that the operator gave. */
export function useProviderName(): (provider: Pick<SsoProvider, 'name' | 'label'>) => string {
  const { t } = useTranslation('sso')
  return useCallback(({ name, label }) => (name === 'wechat' ? t('wechat') : label), [t])
}

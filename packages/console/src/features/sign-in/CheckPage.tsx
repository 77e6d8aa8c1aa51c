import { LoginOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { LonePage } from '../../ui/LonePage.tsx'
import { StateCard } from '../../ui/StateCard.tsx'

/** Where a single sign-on would end. This deployment has none, so the page says so and leads back. */
export function Component() {
  const { t } = useTranslation('sign-in')
  return (
    <LonePage>
      <StateCard
        icon={<LoginOutlined />}
        title={t('check.title')}
        detail={t('check.detail')}
        actions={
          <LinkButton to={paths.login} type="primary">
            {t('check.back')}
          </LinkButton>
        }
      />
    </LonePage>
  )
}

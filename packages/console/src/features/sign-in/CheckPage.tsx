import { LoginOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
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
          <Link to={paths.login}>
            <Button type="primary" tabIndex={-1}>
              {t('check.back')}
            </Button>
          </Link>
        }
      />
    </LonePage>
  )
}

import { Drawer, Grid, Skeleton } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { paths, withQuery } from '../../../paths.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { useFocusReturn } from '../../../ui/use-focus-return.ts'
import styles from './AddDeviceWizard.module.css'

/** The drawer's content. */
export const AddDeviceWizard = lazyPart(
  async () => (await import('./AddDeviceWizard.tsx')).AddDeviceWizard,
)

/** The wizard in a drawer from the right; on a phone it fills the screen. */
export function AddDeviceDrawer(props: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('devices')
  const navigate = useNavigate()
  useFocusReturn(props.isOpen)
  const screens = Grid.useBreakpoint()
  const [opening, setOpening] = useState(0)
  return (
    <Drawer
      title={t('wizard.title')}
      open={props.isOpen}
      onClose={props.onClose}
      size={screens.sm === false ? '100%' : 560}
      classNames={{ body: styles.drawer ?? '' }}
      destroyOnHidden
    >
      <Suspense
        fallback={<Skeleton active className={styles.scroll ?? ''} paragraph={{ rows: 8 }} />}
      >
        <AddDeviceWizard
          key={opening}
          onAgain={() => setOpening(opening + 1)}
          onDone={props.onClose}
          onAddRecord={id => navigate(withQuery(paths.device(id, 'records'), { add: '1' }))}
        />
      </Suspense>
    </Drawer>
  )
}

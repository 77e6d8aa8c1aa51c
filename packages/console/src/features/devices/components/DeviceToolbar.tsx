import { SearchOutlined } from '@ant-design/icons'
import { Input, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { type DeviceView, deviceOrders } from '../device-list.ts'
import styles from './DeviceToolbar.module.css'
import { useDebouncedText } from './use-debounced-text.ts'

/** Search and order of the device list. */
export function DeviceToolbar(props: { view: DeviceView; onChange: (view: DeviceView) => void }) {
  const { t } = useTranslation('devices')
  const { view, onChange } = props
  const [text, setText] = useDebouncedText(view.search, search => onChange({ ...view, search }))
  return (
    <search className={styles.toolbar}>
      <Input
        type="search"
        allowClear
        prefix={<SearchOutlined />}
        value={text}
        onChange={event => setText(event.target.value)}
        maxLength={100}
        placeholder={t('searchPlaceholder')}
        aria-label={t('search')}
        className={styles.input ?? ''}
      />
      <Select
        value={view.order}
        onChange={order => onChange({ ...view, search: text.trim(), order })}
        options={deviceOrders.map(order => ({ value: order, label: t(`sorts.${order}`) }))}
        aria-label={t('sort')}
        className={styles.order ?? ''}
      />
    </search>
  )
}

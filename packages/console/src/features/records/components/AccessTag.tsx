import { GlobalOutlined, LockOutlined } from '@ant-design/icons'
import type { RecordRow } from '@homeport/contract'
import { Tag } from 'antd'
import { useTranslation } from 'react-i18next'

/** Who may open a record. */
export function AccessTag(props: { record: RecordRow }) {
  const { t } = useTranslation('records')
  const isPublic = props.record.access.includes('public')
  return (
    <Tag
      color={isPublic ? 'warning' : 'default'}
      icon={isPublic ? <GlobalOutlined /> : <LockOutlined />}
      style={{ marginInlineEnd: 0 }}
    >
      {t(isPublic ? 'access.public' : 'access.owner')}
    </Tag>
  )
}

import { InboxOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { StateCard } from './StateCard.tsx'

/** Nothing here yet, why that is, and the next step. */
export function EmptyState(props: {
  title: string
  detail?: ReactNode
  icon?: ReactNode
  action?: ReactNode
}) {
  return (
    <StateCard
      icon={props.icon ?? <InboxOutlined />}
      title={props.title}
      {...(props.detail === undefined ? {} : { detail: props.detail })}
      {...(props.action === undefined ? {} : { actions: props.action })}
    />
  )
}

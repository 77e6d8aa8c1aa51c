import type { ReactNode } from 'react'
import styles from './StaffList.module.css'

/** One row of a list that staff manage. */
export interface StaffRow {
  id: number
  name: ReactNode
  facts: ReactNode
  action: ReactNode
}

/** A list that reads well on a phone too. */
export function StaffList(props: { rows: readonly StaffRow[] }) {
  return (
    <ul className={styles.list}>
      {props.rows.map(({ id, name, facts, action }) => (
        <li key={id} className={styles.row}>
          <div className={styles.text}>
            <div className={styles.name}>{name}</div>
            <p className={styles.facts}>{facts}</p>
          </div>
          {action}
        </li>
      ))}
    </ul>
  )
}

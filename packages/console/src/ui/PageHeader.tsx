import type { ReactNode } from 'react'
import styles from './PageHeader.module.css'

/** Head of a page inside the shell: its one h1, a sentence, its actions. */
export function PageHeader(props: { title: ReactNode; detail?: ReactNode; actions?: ReactNode }) {
  return (
    <header className={styles.header}>
      <div>
        <h1 className={styles.title}>{props.title}</h1>
        {props.detail !== undefined && <p className={styles.detail}>{props.detail}</p>}
      </div>
      {props.actions !== undefined && <div className={styles.actions}>{props.actions}</div>}
    </header>
  )
}

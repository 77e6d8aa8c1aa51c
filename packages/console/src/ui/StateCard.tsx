import type { ReactNode } from 'react'
import styles from './StateCard.module.css'

/** The frame of an empty or failed state: picture, title, sentence, what to do next. */
export function StateCard(props: {
  icon: ReactNode
  title: ReactNode
  detail?: ReactNode
  actions?: ReactNode
  tone?: 'plain' | 'good' | 'danger'
  role?: 'alert'
  children?: ReactNode
}) {
  return (
    <section className={styles.card} role={props.role}>
      <div className={`${styles.icon} ${styles[props.tone ?? 'plain'] ?? ''}`} aria-hidden>
        {props.icon}
      </div>
      <h2 className={styles.title}>{props.title}</h2>
      {props.detail !== undefined && <p className={styles.detail}>{props.detail}</p>}
      {props.actions !== undefined && <div className={styles.actions}>{props.actions}</div>}
      {props.children}
    </section>
  )
}

import type { ReactNode } from 'react'
import { Brand } from './Brand.tsx'
import { LanguageSwitch } from './LanguageSwitch.tsx'
import styles from './LonePage.module.css'

/** A page without the shell: brand and language above one card. */
export function LonePage(props: { title?: string; detail?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Brand />
        <LanguageSwitch />
      </header>
      <main className={styles.main}>
        <div className={styles.card}>
          {props.title !== undefined && <h1 className={styles.title}>{props.title}</h1>}
          {props.detail !== undefined && <p className={styles.detail}>{props.detail}</p>}
          {props.children}
        </div>
      </main>
    </div>
  )
}

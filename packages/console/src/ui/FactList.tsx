import type { ReactNode } from 'react'
import styles from './FactList.module.css'

/** Names and values below each other, to compare and to decide on. */
export function FactList(props: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {props.facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

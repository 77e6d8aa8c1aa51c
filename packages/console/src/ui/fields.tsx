import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './fields.module.css'
import type { FieldBinding } from './use-fields.ts'

type InputOptions = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'autoComplete' | 'autoFocus' | 'inputMode' | 'maxLength'
>

interface TextFieldProps extends InputOptions {
  label: string
  field: FieldBinding
}

/** A labelled line of plain text, with its complaint under it; its children stand at its end. */
export function TextField(props: TextFieldProps & { type?: 'tel'; children?: ReactNode }) {
  return <Line type="text" {...props} />
}

/** A labelled secret that can be looked at. */
export function PasswordField(props: TextFieldProps & { children?: ReactNode }) {
  const { t } = useTranslation('common')
  const [isShown, setShown] = useState(false)
  return (
    <Line {...props} type={isShown ? 'text' : 'password'}>
      <button
        className={styles.peek}
        type="button"
        aria-label={t(isShown ? 'hidePassword' : 'showPassword')}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <EyeOutlined /> : <EyeInvisibleOutlined />}
      </button>
    </Line>
  )
}

function Line(props: TextFieldProps & { type: string; children?: ReactNode }) {
  const id = useId()
  const { label, field, type, children, ...options } = props
  const { name, value, error } = field
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-wrong={error !== undefined}>
        <input
          {...options}
          id={id}
          className={styles.input}
          name={name}
          type={type}
          value={value}
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-error`}
          onChange={event => field.onChange(event.target.value)}
          onBlur={field.onBlur}
        />
        {children}
      </div>
      <Complaint id={`${id}-error`} text={error} />
    </div>
  )
}

/** A box to tick, with its complaint under it; the words beside it are its children. */
export function CheckField(props: {
  field: FieldBinding
  children: ReactNode
  extra?: ReactNode
  /** At the end of the line. */
  aside?: ReactNode
}) {
  const id = useId()
  const { name, value, error, onChange } = props.field
  return (
    <div className={styles.field}>
      <div className={styles.check}>
        <input
          id={id}
          className={styles.tick}
          name={name}
          type="checkbox"
          checked={value === 'yes'}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-error`}
          onChange={event => onChange(event.target.checked ? 'yes' : '')}
        />
        <span>
          <label htmlFor={id}>{props.children}</label> {props.extra}
        </span>
        {props.aside !== undefined && <span className={styles.aside}>{props.aside}</span>}
      </div>
      <Complaint id={`${id}-error`} text={error} />
    </div>
  )
}

/** A button that reads as part of a sentence. */
export function TextButton(props: { onClick: () => void; children: ReactNode }) {
  return (
    <button className={styles.link} type="button" onClick={props.onClick}>
      {props.children}
    </button>
  )
}

function Complaint(props: { id: string; text: string | undefined }) {
  return (
    <div id={props.id} aria-live="polite">
      {props.text !== undefined && <p className={styles.error}>{props.text}</p>}
    </div>
  )
}

import { type FormEvent, useRef, useState } from 'react'

/** What a check of a field says: a sentence, or nothing where the value is fine. */
export type FieldCheck<Name extends string> = (
  value: string,
  all: Readonly<Record<Name, string>>,
) => string | undefined

/** What a field component needs to stand in a form. */
export interface FieldBinding {
  name: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
  onBlur: () => void
}

/**
 * State of a small form of text fields; a ticked box is `yes`. The sign-in pages use it instead of antd's form, because
 * they are every visitor's first load. A field is checked when it is left with something in it and at submit; typing
 * takes its complaint away. At a refused submit the focus goes to the first wrong field.
 */
export function useFields<Name extends string>(
  initial: Readonly<Record<Name, string>>,
  checks: Readonly<Record<NoInfer<Name>, FieldCheck<NoInfer<Name>>>>,
) {
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({})
  const names = Object.keys(checks) as Name[]

  const focus = (name: Name) => {
    const field = form.current?.elements.namedItem(name)
    if (field instanceof HTMLElement) field.focus()
  }

  /** Shows complaints from elsewhere, and puts the focus on the first. */
  const complain = (complaints: Partial<Record<Name, string>>) => {
    setErrors(complaints)
    const first = names.find(name => complaints[name] !== undefined)
    if (first !== undefined) focus(first)
  }

  const bind = (name: Name): FieldBinding => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: value => {
      setValues(old => ({ ...old, [name]: value }))
      setErrors(({ [name]: _, ...others }) => others as Partial<Record<Name, string>>)
    },
    onBlur: () => {
      if (values[name] === '') return
      const complaint = checks[name](values[name], values)
      if (complaint !== undefined) setErrors(old => ({ ...old, [name]: complaint }))
    },
  })

  /** The value of a field where its check is content; else its complaint is shown. */
  const readValid = (name: Name): string | undefined => {
    const complaint = checks[name](values[name], values)
    if (complaint === undefined) return values[name]
    complain({ [name]: complaint } as Partial<Record<Name, string>>)
    return undefined
  }

  /** Handler of the form's submit: runs `act` with the values where every check is content. */
  const onSubmit = (act: (values: Record<Name, string>) => void) => (event: FormEvent) => {
    event.preventDefault()
    const complaints: Partial<Record<Name, string>> = {}
    for (const name of names) {
      const complaint = checks[name](values[name], values)
      if (complaint !== undefined) complaints[name] = complaint
    }
    complain(complaints)
    if (Object.keys(complaints).length === 0) act(values)
  }

  return { form, values, names, bind, complain, readValid, onSubmit }
}

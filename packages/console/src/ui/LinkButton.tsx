import { Button, type ButtonProps } from 'antd'
import { useHref, useLinkClickHandler } from 'react-router'

/** A link inside the console that looks like a button: one element, so that keyboards and screen readers meet one. */
export function LinkButton(
  props: Pick<ButtonProps, 'type' | 'icon' | 'children'> & { to: string },
) {
  const { to, ...look } = props
  return <Button {...look} href={useHref(to)} onClick={useLinkClickHandler<HTMLElement>(to)} />
}

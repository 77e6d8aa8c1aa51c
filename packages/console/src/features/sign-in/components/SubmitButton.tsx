import { Button } from 'antd'
import { useTranslation } from 'react-i18next'

/** The form's button; while the server asks for patience it counts down and cannot be pressed. */
export function SubmitButton(props: { label: string; isBusy: boolean; secondsLeft: number }) {
  const { t } = useTranslation('sign-in')
  const isWaiting = props.secondsLeft > 0
  return (
    <Button
      type="primary"
      htmlType="submit"
      size="large"
      block
      loading={props.isBusy}
      disabled={isWaiting}
    >
      {isWaiting ? t('wait', { seconds: props.secondsLeft }) : props.label}
    </Button>
  )
}

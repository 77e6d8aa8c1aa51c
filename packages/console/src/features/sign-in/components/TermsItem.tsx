import { Button, Checkbox, Form, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

/** The terms check box and the terms behind it; field `terms`, required. */
export function TermsItem() {
  const { t } = useTranslation('sign-in')
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Form.Item
        name="terms"
        valuePropName="checked"
        rules={[
          {
            validator: (_, ticked: unknown) =>
              ticked === true ? Promise.resolve() : Promise.reject(new Error(t('terms.needed'))),
          },
        ]}
      >
        <Checkbox>
          {t('terms.agree')}
          <Button
            type="link"
            size="small"
            style={{ paddingInline: 4 }}
            onClick={event => {
              event.preventDefault() // the box around it must not change
              setOpen(true)
            }}
          >
            {t('terms.title')}
          </Button>
        </Checkbox>
      </Form.Item>
      {isOpen && (
        <Modal
          open
          title={t('terms.title')}
          onCancel={close}
          footer={
            <Button type="primary" onClick={close}>
              {t('terms.close')}
            </Button>
          }
        >
          <ol>
            <li>{t('terms.operator')}</li>
            <li>{t('terms.content')}</li>
            <li>{t('terms.security')}</li>
            <li>{t('terms.data')}</li>
          </ol>
        </Modal>
      )}
    </>
  )
}

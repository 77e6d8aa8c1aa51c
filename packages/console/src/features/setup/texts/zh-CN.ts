/** Texts of the first set-up. */
export const texts = {
  title: '欢迎使用归港',
  detail: '先创建管理员账号。这个链接只能使用一次。',
  submit: '创建管理员并登录',
  invalid: '设置链接无效或已使用',
  invalidDetail: '如果还没有管理员，请重新启动归港，终端会显示新的设置链接。',
  done: '已经设置完成',
  doneDetail: '这个服务已经有管理员了，请直接登录。',
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    setup: typeof texts
  }
}

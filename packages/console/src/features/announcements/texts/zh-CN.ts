/** Texts of the announcements. */
export const texts = {
  dialogTitle: '公告',
  gotIt: '知道了',
  opensWindow: '在新窗口打开',
  pageDetail: '服务的更新、维护和重要通知',
  empty: '暂时没有公告',
  emptyDetail: '有新消息时会显示在这里，登录时也会提醒您。',
  entry: '查看公告',
  entryUnread: '查看公告（有未读）',
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    announcements: typeof texts
  }
}

/** Texts of the pages of later work. */
export const texts = {
  notOpen: '尚未开放',
  billingOff: '此服务没有开启套餐',
  billingOffDetail: '部署者关闭了购买和兑换：设备和域名不受套餐限制，无需购买。',
  detail: {
    statistics: '这里将显示设备、套餐、流量和访客的概况。',
    playersare: '这里将提供交流群和推广员的联系方式。',
    productos: '这里将管理兑换码：按销售渠道查看、标记、导出和批量购买。',
    record: '这里将记录谁通过了访问验证、访问了哪个域名，并可以随时撤销。',
    invite: '这里将提供您的邀请码、邀请记录和可领取的奖励。',
    buy: '这里将可以选择和购买套餐，并绑定到设备。',
    tutorial: '这里将提供添加设备、发布域名和排查问题的图文教程。',
  },
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    later: typeof texts
  }
}

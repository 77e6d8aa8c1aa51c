/** Texts of single sign-on. */
export const texts = {
  wechat: '微信',
  or: '或',
  signInWith: '用{{name}}登录',
  scan: {
    code: '登录二维码',
    starting: '正在准备二维码…',
    waiting: '用手机扫码登录',
    how: '请用已登录归港的手机扫描，并在手机上确认',
    scanned: '已扫码，请在手机上确认',
    number: '确认前请核对：手机上显示的也是 {{number}}',
    confirmed: '已确认，正在登录…',
    denied: '已在手机上拒绝这次登录',
    expired: '二维码已过期',
    refresh: '刷新二维码',
    again: '再试一次',
  },
  check: {
    noneTitle: '没有可以验证的登录',
    noneDetail: '这个页面只用于完成扫码或第三方登录。',
    checking: '正在验证登录…',
    secondStep: '两步验证',
    secondStepDetail: '登录服务已确认您的身份',
    cancelledTitle: '已取消登录',
    cancelledDetail: '您没有在登录服务上完成授权，可以重新登录，或换一种方式。',
    refusedTitle: '登录服务没有完成这次登录',
    refusedDetail: '请重新登录；如果一直这样，请联系这个服务的管理员。',
    failedTitle: '登录没有完成',
    closedDetail:
      '这个第三方账号还没有绑定归港账号，而这里暂未开放注册。请先用其他方式登录，再到“个人信息”里绑定。',
    takenDetail: '这个第三方账号已经绑定了另一个归港账号。请先用那个账号登录并解除绑定。',
    reauthenticatedTitle: '已确认是您本人',
    reauthenticatedDetail: '接下来 10 分钟内，可以回去继续刚才的操作。',
    notRecentDetail:
      '登录服务没有重新验证您的身份，所以不能确认是您本人。请再试一次；如果一直这样，请联系这个服务的管理员。',
    back: '返回登录',
    toAccount: '返回个人信息',
  },
  identities: {
    title: '第三方登录',
    detail: '绑定之后，可以用这些账号直接登录',
    failed: '第三方账号加载失败',
    none: '还没有绑定第三方账号',
    unavailable: '这个服务没有配置第三方登录',
    linked: '绑定于',
    used: '最近登录',
    unused: '还没有用它登录过',
    link: '绑定{{name}}',
    linkFailed: '没有开始绑定',
    unlink: '解除绑定',
    unlinkName: '解除绑定：{{name}}',
    unlinkTitle: '解除绑定“{{name}}”？',
    unlinkDetail: '解除之后，不能再用它登录这个账号；以后可以重新绑定。',
    unlinkFailed: '没有解除绑定',
  },
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    sso: typeof texts
  }
}

/** Texts of the captcha. */
export const texts = {
  title: '安全验证',
  loading: '正在加载…',
  checking: '正在验证…',
  working: '正在计算，可能需要一会儿…',
  wrong: '验证未通过，请再试一次',
  hint: {
    click: '按小图的顺序点击相同的字，字体会不同',
    slide: '移动长框，套住与框下相同的字',
    slide_region: '移动方框，套住与框上相同的字',
    rotate: '转动圆盘，让里外相同的字相对',
  },
  refresh: '换一张',
  work: '看不清？让浏览器计算',
  state: {
    needed: '点击按键进行验证',
    asked: '请先完成安全验证',
    expired: '验证已过期，请重新验证',
    done: '验证成功',
  },
  keys: {
    title: '用键盘完成',
    help: '方向键每次移动 1，按住 Shift 移动 10。',
    x: '左右',
    y: '上下',
    angle: '角度',
    click: '点击这里',
    confirm: '提交',
  },
}

declare module 'i18next' {
  interface ResourceNamespaceMap {
    captcha: typeof texts
  }
}

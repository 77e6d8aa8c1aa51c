import { fileURLToPath } from 'node:url'
import { GlobalFonts } from '@napi-rs/canvas'

/** Open Chinese fonts (SIL OFL 1.1) of three hands; the small picture never uses the one of the large picture. */
export const fontFamilies = ['Captcha Kuai', 'Captcha Xiao', 'Captcha Zheng'] as const

const fontFiles: Record<(typeof fontFamilies)[number], string> = {
  'Captcha Kuai': '@expo-google-fonts/zcool-kuaile/400Regular/ZCOOLKuaiLe_400Regular.ttf',
  'Captcha Xiao': '@expo-google-fonts/zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular.ttf',
  'Captcha Zheng': '@expo-google-fonts/ma-shan-zheng/400Regular/MaShanZheng_400Regular.ttf',
}

/** Common characters that all three fonts have and that hardly look alike. */
export const glyphs = [
  ...'春夏秋冬东西南北山水火木金土花草树鸟鱼虫马牛羊狗猫虎龙蛇风云雨雪雷电星月阳光河海湖江桥路车船门窗房屋书笔画琴茶酒米饭瓜果桃梨红黄蓝绿黑白紫橙大小多少高低远近左右前后上下天地人口手足耳目心田石玉衣食行走飞跑跳唱听看写读笑哭爱乐家国城市村园林',
]

/** Makes the fonts known to the canvas; once for a process, more often does no harm. */
export function registerFonts(): void {
  for (const family of fontFamilies) {
    const file = fileURLToPath(import.meta.resolve(fontFiles[family]))
    if (GlobalFonts.has(family)) continue
    if (GlobalFonts.registerFromPath(file, family) === null) {
      throw new Error(`the font of ${family} cannot be read`)
    }
  }
}

import { fileURLToPath } from 'node:url'
import { GlobalFonts } from '@napi-rs/canvas'

/** Open Chinese fonts (SIL OFL 1.1) of three hands; the small picture never uses the one of the large picture. */
export const fontFamilies = ['Captcha Kuai', 'Captcha Xiao', 'Captcha Zheng'] as const

/** A packaged font. */
export type FontFamily = (typeof fontFamilies)[number]

const fontFiles: Record<FontFamily, string> = {
  'Captcha Kuai': '@expo-google-fonts/zcool-kuaile/400Regular/ZCOOLKuaiLe_400Regular.ttf',
  'Captcha Xiao': '@expo-google-fonts/zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular.ttf',
  'Captcha Zheng': '@expo-google-fonts/ma-shan-zheng/400Regular/MaShanZheng_400Regular.ttf',
}

/** Common characters that all three fonts have, neither too bare nor too dense to be read while small and bent. */
export const glyphs = [
  ...[
    '万丈不东丝个中串举久么义乎乐乔习乡书买予争事五井些交亩京亮亲今介仓令任会住余佳信允元兄充先光克免全公六共关兴其具再写冬冷',
    '净凡凸分务勇匀包区医升半华单卡卫卷厅压县参又及友反受变叠口古句另只召可台史右号司吃各合名后君否含吴告员哥售善喜回在垂基堂',
    '塞墨声壳备复夏大天太夫央头奇奉奋奏套女委存季学它守安宋完宗官定宜宝实审客宣室宫宴宾寄富寸寻导寿小少尖尘尝尺尼尽尾层屋岁岩',
    '岸崇左巧巨差巴巷币市幕平年并庄序库廷开异弄式引当录志急意户才打扩扫拜拿挂掌支文斤方旁无旦早昆昌星春是晨景更曹曼月有望未末',
    '本杂李某柔查案桌次止正步母每毕民氧汇汉汗江汪汽治法泛注泽洁洋津活浮清火灵点煮爱父爷片牙牛率琴瓦甘生甲申电男白百盖直省看真',
    '着矛石碧示票秀秦究穿突立竟章童笔等答筹算管类系素索红纤纪经罗置美翼老考者耳肯育自舍良色艺节芳芽若英茎草荣莫莲菜营董薯虫虽',
    '蛋行衣表要计订让记许谷豆豪贡责贵走足身辈辽迁过迈运近这远连送适造采里重量金针钉长门集雪零青非靠音飞食首香马驾高鱼鲁鸟麦黄',
    '鼻齐',
  ].join(''),
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

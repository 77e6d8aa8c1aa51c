/** How well a new password would hold against guessing; `weak` ones are refused. */
export type PasswordStrength = 'weak' | 'fair' | 'strong'

/**
 * Characters of a password that are judged. The estimator's work grows with more than their number, and whoever has not
 * made 32 hard to guess has not chosen the rest well either.
 */
export const judgedPasswordLength = 32

/**
 * Ways of reading digits and signs as letters (`p4$$w0rd`) that are tried. With the estimator's own 100 a hostile text of 32
 * such signs takes 84 to 140 ms of processor time, with these 25 to 30.
 */
const spellingsTried = 10

/** From this score (0 to 4) on a password is taken: ten thousand million guesses or more, by the estimator's own scale. */
const leastScore = 3

/** What the lists of English words miss: words and figures of Chinese, and the names of this product. Lower case. */
const localWords = (
  'woaini woainima woaiwojia woshishui woaizhongguo zhongguo nihao wodemima mima denglu yonghu ceshi guanliyuan ' +
  'laopo laogong baobao baobei gongxi facai mingtian yongyuan shengri kuaile wangzhe xiaoming zhangsan lisi wangwu ' +
  'wang li zhang liu chen yang zhao huang zhou wu xu sun hu zhu gao lin guo luo ' +
  'beijing shanghai guangzhou shenzhen chengdu hangzhou weixin zhifubao taobao baidu ' +
  '520 521 1314 5201314 1314520 520520 52013141314 woaini520 woaini1314 147258369 159357 159753 741852963 789456123 ' +
  '1qaz2wsx qweasdzxc qazwsx 1q2w3e4r5t zaq12wsx aa123456 qq123456 a123456789 123456789a abc123456 ' +
  'homeport guigang 归港 我爱你 密码 router openwrt synology raspberry tunnel'
).split(' ')

/** Lists that the estimator knows, the likeliest word first. */
export interface StrengthWords {
  passwords: string[]
  commonWords: string[]
  wikipedia: string[]
  firstnames: string[]
}

/** Options of the estimator (zxcvbn), the same wherever it runs. Last names are left out: as much to load as all the rest. */
export const strengthOptions = <Graphs>(words: StrengthWords, graphs: Graphs) => ({
  dictionary: { ...words, localWords },
  graphs,
  maxLength: judgedPasswordLength,
  l33tMaxSubstitutions: spellingsTried,
})

/** The estimator as far as it is used. */
export interface StrengthEstimator {
  check(password: string, knownWords: string[]): { score: number }
}

/** Judges a password; `about` is what others know of its owner: user name, e-mail address, phone number. */
export function judgeStrength(
  estimator: StrengthEstimator,
  password: string,
  about: readonly string[],
): PasswordStrength {
  // Full-width and other spellings of a character are guessed together with it.
  const plain = password.normalize('NFKC').slice(0, judgedPasswordLength)
  const { score } = estimator.check(plain, knownWordsOf(about))
  if (score < leastScore) return 'weak'
  return score === leastScore ? 'fair' : 'strong'
}

/** The texts themselves and the parts of each that somebody would try: `li.wei@example.com` has `li.wei` and `wei`. */
function knownWordsOf(about: readonly string[]): string[] {
  const texts = about.map(text => text.normalize('NFKC').toLowerCase().slice(0, 254))
  const parts = texts.flatMap(text => [
    text,
    text.split('@')[0] ?? '',
    ...text.split(/[^\p{L}\d]+/u),
  ])
  return [...new Set(parts)].filter(part => part.length >= 3)
}

/** Scripts in which the family name comes first and cannot be recognised: 王小明, 中村 蓮, 김 민지. */
const isFamilyFirst = (name: string): boolean =>
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(name)

const titles = 'dr frau herr ing m mag md mme mr mrs ms mx prof señor señora sir sr sra'.split(' ')
const additions = 'ag bv gmbh ii iii inc jr llc ltd md phd plc sa sr'.split(' ')

const isIn = (list: string[], word: string): boolean => list.includes(word.replaceAll('.', '').toLowerCase())

/** A family name in capitals, as in `NGUYEN Van An`. Two capitals, as in `JP Morgan`, are initials. */
const isCapital = (word: string): boolean => /^\p{Lu}{3,}$/u.test(word)

/** Turns `Lee, Ann` into `Ann Lee`, and drops additions such as `Jr.` and `Inc.` */
function inOrder(name: string): string {
  const [family = '', given = ''] = name.split(',', 2).map(part => part.trim())
  return !given || isIn(additions, given) ? family : `${given} ${family}`
}

/** The name by which a person is addressed: the given name if it can be recognised, otherwise the whole name. */
export function firstNameOf(fullName: string | null | undefined): string | null {
  const name = fullName?.trim()
  if (!name) return null
  if (isFamilyFirst(name)) return name
  const words = inOrder(name).split(/\s+/)
  const title = words.findIndex(word => !isIn(titles, word))
  const own = title < 0 ? [] : words.slice(title)
  if (title > 0 && own.length === 1) return words.join(' ')
  return (own.find(word => !isCapital(word)) ?? own[0] ?? name) || null
}

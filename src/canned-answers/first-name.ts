/** Names that put the family first, and cannot be told apart: 王小明, 中村 蓮, 김 민지. */
const isFamilyFirst = (name: string): boolean =>
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(name)

const titles = 'dr frau herr ing m mag md mme mr mrs ms mx prof señor señora sir sr sra'.split(' ')
const additions = 'ag bv gmbh ii iii inc jr llc ltd md phd plc sa sr'.split(' ')

const isIn = (list: string[], word: string): boolean => list.includes(word.replaceAll('.', '').toLowerCase())

/** As in NGUYEN Van An; initials such as J.P. are none. */
const isCapital = (word: string): boolean => /^\p{Lu}{3,}$/u.test(word)

/** `Lee, Ann` as `Ann Lee`; what is added to a name or a company stays where it is. */
function inOrder(name: string): string {
  const [family = '', given = ''] = name.split(',', 2).map(part => part.trim())
  return !given || isIn(additions, given) ? family : `${given} ${family}`
}

/** How somebody is addressed: by the given name if the name shows which one it is, otherwise by the whole name. */
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

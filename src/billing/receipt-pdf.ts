import { showMoney, splitTax } from './money.ts'
import { type Fonts, loadFonts } from './receipt-fonts.ts'
import { drawLine, type ReceiptPage, withMirroredCharacters, wrap } from './receipt-text.ts'
import { isRtl, wordsOf } from './receipt-words.ts'
import type { Receipt } from './receipts.ts'

const margin = 72
/** The horizontal position of the values, beside their labels. */
const column = 130
const lineHeight = 15

const titles = { Receipt: 'receipt', Invoice: 'invoice', Refund: 'refund' } as const

const day = (time: string): string => time.slice(0, 10)

const linesOf = (text: string): string[] =>
  text
    .split(/[;\n]/)
    .map(line => line.trim())
    .filter(Boolean)

/** Text over the whole width, or a label and its value. An empty text is a blank space. */
type Line = string | [name: string, value: string]

function listSums({ entry, currency, locale, tax }: Receipt): Line[] {
  const { net, total } = wordsOf(locale)
  const amount = Math.abs(entry.amount)
  const whole: Line = [total, showMoney(amount, currency)]
  if (!tax) return [whole]
  const parts = splitTax(amount, currency, tax.percent)
  return [
    [net, showMoney(parts.net, currency)],
    [`${tax.name} ${tax.percent} %`, showMoney(parts.tax, currency)],
    whole,
  ]
}

function listLines(receipt: Receipt): Line[] {
  const { entry, locale, buyer, plan_name } = receipt
  const words = wordsOf(locale)
  const what = words[({ plan: 'plan', refund: 'paidBack' } as const)[entry.cause as 'plan'] ?? 'topUp']
  return [
    [words.issued, day(receipt.issued_at)],
    '',
    ...linesOf(receipt.seller),
    '',
    `${words.to}: ${buyer.name || receipt.project_name}`,
    ...linesOf(buyer.address),
    ...(buyer.tax_number ? [`${words.taxNumber}: ${buyer.tax_number}`] : []),
    '',
    [words.what, plan_name ? `${what}: ${plan_name}` : what],
    [words.reference, entry.reference ?? ''],
    [words.date, day(entry.created_at)],
    ...(entry.cause === 'plan' ? [[words.paid, words.fromBalance] satisfies Line] : []),
    '',
    ...listSums(receipt),
  ]
}

/** Draws the lines below each other. Long texts wrap. */
function draw(page: ReceiptPage, fonts: Fonts, lines: Line[], locale: string): void {
  const whole = page.page.width - 2 * margin
  const put = (text: string, from: number, y: number): number => {
    const x = isRtl(locale) ? page.page.width - margin - from : margin + from
    const parts = wrap(page, text, fonts, { width: whole - from, locale })
    for (const [at, part] of parts.entries())
      drawLine(page, part, fonts, { x, y: y + at * lineHeight, isRtl: isRtl(locale) })
    return parts.length * lineHeight
  }
  const [title, ...others] = lines
  page.fontSize(22)
  let y = margin + lineHeight + put(`${title}`, 0, margin) * 2
  page.fontSize(10)
  for (const line of others) {
    const [name, value] = Array.isArray(line) ? line : [line]
    y += Math.max(put(name, 0, y), value ? put(value, column, y) : 0)
  }
}

/** Returns the same bytes every time. Loads the library on first use. */
export async function printReceipt(receipt: Receipt): Promise<Buffer> {
  const { default: Document } = await import('pdfkit')
  const { locale } = receipt
  const title = `${wordsOf(locale)[titles[receipt.title]]} ${receipt.number}`
  const lines = [title, ...listLines(receipt)]
  const fonts = await loadFonts(withMirroredCharacters(` ${lines.flat().join('')}`), locale)
  const info = { Title: title, Creator: 'Deskbell', CreationDate: new Date(`${receipt.issued_at}Z`) }
  const page: ReceiptPage = new Document({ size: 'A4', margin, info, lang: locale })
  draw(page, fonts, lines, locale)
  page.end()
  return Buffer.concat(await page.toArray())
}

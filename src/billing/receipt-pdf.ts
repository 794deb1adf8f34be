import { showMoney, splitTax } from './money.ts'
import { type Fonts, loadFonts } from './receipt-fonts.ts'
import { drawLine, type ReceiptPage, withMirroredCharacters, wrap } from './receipt-text.ts'
import type { Receipt } from './receipts.ts'
import { receiptTextsOf } from './texts/receipts/texts.ts'

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
  const { net, total } = receiptTextsOf(locale).texts
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
  const { texts } = receiptTextsOf(locale)
  const what = texts[entry.cause === 'plan' ? 'plan' : entry.cause === 'refund' ? 'paidBack' : 'topUp']
  return [
    [texts.issued, day(receipt.issued_at)],
    '',
    ...linesOf(receipt.seller),
    '',
    `${texts.to}: ${buyer.name || receipt.project_name}`,
    ...linesOf(buyer.address),
    ...(buyer.tax_number ? [`${texts.taxNumber}: ${buyer.tax_number}`] : []),
    '',
    [texts.what, plan_name ? `${what}: ${plan_name}` : what],
    [texts.reference, entry.reference ?? ''],
    [texts.date, day(entry.created_at)],
    ...(entry.cause === 'plan' ? [[texts.paid, texts.fromBalance] satisfies Line] : []),
    '',
    ...listSums(receipt),
  ]
}

/** Draws the lines below each other. Long texts wrap. */
function draw(page: ReceiptPage, fonts: Fonts, lines: Line[], locale: string): void {
  const whole = page.page.width - 2 * margin
  const isRtl = receiptTextsOf(locale).direction === 'rtl'
  const put = (text: string, from: number, y: number): number => {
    const x = isRtl ? page.page.width - margin - from : margin + from
    const parts = wrap(page, text, fonts, { width: whole - from, locale })
    for (const [at, part] of parts.entries())
      drawLine(page, part, fonts, { x, y: y + at * lineHeight, isRtl })
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
  const title = `${receiptTextsOf(locale).texts[titles[receipt.title]]} ${receipt.number}`
  const lines = [title, ...listLines(receipt)]
  const fonts = await loadFonts(withMirroredCharacters(` ${lines.flat().join('')}`), locale)
  const info = { Title: title, Creator: 'Deskbell', CreationDate: new Date(`${receipt.issued_at}Z`) }
  const page: ReceiptPage = new Document({ size: 'A4', margin, info, lang: locale })
  draw(page, fonts, lines, locale)
  page.end()
  return Buffer.concat(await page.toArray())
}

import { createRequire } from 'node:module'
import type PDFDocument from 'pdfkit'
import { showMoney } from './money.ts'
import type { Receipt } from './receipts.ts'

/** Names in most alphabets; the fonts that every PDF reader brings have Latin letters only. */
const font = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')

const day = (time: string): string => time.slice(0, 10)

const causes: Record<string, string> = {
  top_up: 'Top-up of the balance',
  plan: 'Plan',
  refund: 'Paid back',
}

const lines = ({ entry, currency }: Receipt): [string, string][] => [
  ['For', causes[entry.cause]!],
  ['Reference', entry.reference ?? ''],
  ['Date', day(entry.created_at)],
  ['Amount', showMoney(Math.abs(entry.amount), currency)],
  ...(entry.cause === 'plan' ? ([['Paid', 'from the balance']] as [string, string][]) : []),
]

function draw(page: typeof PDFDocument.prototype, receipt: Receipt): void {
  const { title, number, issued_at, project_name, seller } = receipt
  page.font(font).fontSize(22).text(`${title} ${number}`).moveDown(0.5)
  page
    .fontSize(10)
    .text(`Issued on ${day(issued_at)}`)
    .moveDown()
  for (const line of seller.split(';').map(part => part.trim())) page.text(line)
  page.moveDown().text(`To: ${project_name}`).moveDown()
  for (const [name, value] of lines(receipt)) {
    const { y } = page
    page.text(name, 72, y).text(value, 180, y)
  }
}

/** The same bytes whenever it is asked for. The library is loaded where it is wanted. */
export async function printReceipt(receipt: Receipt): Promise<Buffer> {
  const { default: Document } = await import('pdfkit')
  const info = {
    Title: `${receipt.title} ${receipt.number}`,
    Creator: 'Deskbell',
    CreationDate: new Date(`${receipt.issued_at}Z`),
  }
  const page = new Document({ size: 'A4', margin: 72, info })
  draw(page, receipt)
  page.end()
  return Buffer.concat(await page.toArray())
}

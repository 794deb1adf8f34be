import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { root } from '../../src/core/config/config.ts'
import { openShowroom, type Showroom } from '../showroom.ts'
import { type Shot, shots } from './shots.ts'

/** Screenshots of the product with its demo, for docs/screenshots. */

const usage = `bin/screenshots [--only WORD] [--out docs/screenshots]

Writes pictures of the dashboard and the help centre, light and dark, wide and on a phone.`

const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const maxBytes = 250 * 1024

/** Uses as many colours as fit into the maximum size. */
async function pack(bytes: Buffer): Promise<Buffer> {
  for (const colours of [256, 128, 64, 32]) {
    const packed = await sharp(bytes)
      .png({ palette: true, colours, compressionLevel: 9, effort: 7 })
      .toBuffer()
    if (packed.length <= maxBytes) return packed
  }
  throw new Error('A screenshot is larger than 250 KB with 32 colours')
}

const settled = async (page: Page): Promise<void> => {
  await page.waitForLoadState('load')
  await page.evaluate('document.fonts.ready')
  await page.waitForTimeout(700)
}

async function take(showroom: Showroom, shot: Shot, out: string): Promise<void> {
  const { name, scheme, size, dir = 'ltr' } = shot
  const context = await showroom.open({
    viewport: sizes[size],
    colorScheme: scheme,
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
  })
  await context.addInitScript(
    `if (!localStorage.deskbell) localStorage.setItem('deskbell', '{"dir":"${dir}"}')`,
  )
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  page.on('pageerror', error => process.stderr.write(`${name}: ${error.message}\n`))
  await page.goto(await shot.path(showroom))
  await shot.act?.(page)
  await settled(page)
  const file = join(out, `${name}-${dir === 'rtl' ? 'rtl-' : ''}${scheme}-${size}.png`)
  await sharp(await pack(await page.screenshot())).toFile(file)
  process.stdout.write(`${file}\n`)
  await context.close()
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    out: { type: 'string', default: join(root, 'docs/screenshots') },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) console.log(usage)
else {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-screenshots-'))
  mkdirSync(values.out, { recursive: true })
  const showroom = await openShowroom(dataDir, 'Velo Bicycles')
  try {
    showroom.cli('demo', '--project', showroom.projectId)
    for (const shot of shots.filter(({ name }) => name.includes(values.only)))
      await take(showroom, shot, values.out).catch(error => {
        process.stderr.write(`${shot.name} (${shot.scheme}, ${shot.size}): ${error.message}\n`)
        process.exitCode = 1
      })
  } finally {
    await showroom.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeTicket } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { typeKeys, untilFormatted } from '../editor.ts'
import { needs } from '../needs.ts'
import { until } from '../until.ts'

/** Input methods, such as those for Japanese, in the editor. */

const chromium = needs('chromium')
const dashboard = useDashboard()

test(
  'text that an input method composes stays, also while a formatted word is written and the draft is saved',
  chromium,
  async () => {
    const { olga, server } = dashboard
    const { id, short_id } = await makeTicket(server.api, { content: 'ランプが壊れました。' })
    const page = await dashboard.open(olga)
    await page.goto(`/p/${server.acme.id}/inbox/all/${short_id}`)
    const field = await untilFormatted(page.getByRole('textbox', { name: 'Reply', exact: true }))
    await field.focus()
    const devtools = await page.context().newCDPSession(page)
    const compose = async (...steps: string[]) => {
      for (const text of steps)
        await devtools.send('Input.imeSetComposition', {
          text,
          selectionStart: text.length,
          selectionEnd: text.length,
        })
      await devtools.send('Input.insertText', { text: steps.at(-1)! })
    }
    const draft = async () => (await olga.api.get(`/tickets/${id}/draft`)).body.reply?.content
    await compose('ｋ', 'か', 'かｓ', 'かし', '菓子')
    await typeKeys(page, ' ')
    await until(async () => (await draft())?.trim() === '菓子')
    await typeKeys(page, 'Control+b')
    await compose('ｍ', 'ま', 'またｓ', '又')
    await typeKeys(page, 'Control+b', ' ')
    await compose('n', 'ni', 'nih', '你好')
    await until(async () => (await draft()) === '菓子 **又** 你好').catch(async () =>
      assert.equal(await draft(), '菓子 **又** 你好'),
    )
  },
)

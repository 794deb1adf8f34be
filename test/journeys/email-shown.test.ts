import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { listAccessibilityViolations, lookOf, pressItem } from '../browser.ts'
import { useDashboard } from '../dashboard.ts'
import { deliverByLmtp } from '../dovecot.ts'
import { type Canary, startCanary } from '../mail/canary.ts'
import { listHostileHtml } from '../mail/hostile-html.ts'
import { mailListen, openMailbox, receive, startReceivingIn } from '../mail/receiving.ts'
import { needs } from '../needs.ts'
import { until } from '../until.ts'
import { png } from '../upload.ts'

/** How the dashboard shows emails, from the mail server to the screen. */

const chromium = needs('chromium')
const support = 'support@acme.example'

let receiving: Awaited<ReturnType<typeof startReceivingIn>>
let canary: Canary
const dashboard = useDashboard(
  async ({ server }) => {
    canary = await startCanary()
    receiving = await startReceivingIn(server)
    await openMailbox(receiving, support, { authserv_ids: ['mx.acme.example'] })
  },
  { config: { mailListen } },
)
after(async () => {
  await receiving?.stop()
  await canary?.close()
})

let count = 0

/** An iframe, as a script in its page sees it. */
interface FrameElement {
  contentDocument?: {
    body?: { textContent: string }
    querySelectorAll(selector: string): { length: number }
  }
}

interface Letter {
  from?: string
  subject?: string
  html: string
  answers?: string
  headers?: string[]
  /** Base64 of an image with the Content-ID `lamp`. */
  image?: string
}

function write({ from = 'Ann Lee <ann@example.com>', subject = 'Lamp', ...letter }: Letter) {
  const id = `shown.${++count}@mail.example`
  const { html, answers, image, headers = [] } = letter
  const lines = [
    ...headers,
    `From: ${from}`,
    `To: ${support}`,
    `Subject: ${subject}`,
    `Message-ID: <${id}>`,
    ...(answers ? [`In-Reply-To: <${answers}>`] : []),
    'MIME-Version: 1.0',
    'Content-Type: multipart/related; boundary="b"',
    '',
    '--b\r\nContent-Type: text/html; charset=utf-8\r\n',
    html,
    ...(image
      ? [
          '--b\r\nContent-Type: image/png; name="lamp.png"\r\nContent-ID: <lamp>\r\nContent-Disposition: inline\r\nContent-Transfer-Encoding: base64\r\n',
          image,
        ]
      : []),
    '--b--',
    '',
  ]
  return { id, raw: lines.join('\r\n') }
}

async function send(letter: Letter) {
  const { id, raw } = write(letter)
  const mail = await receive(receiving, support, raw)
  assert.ok(mail.ticket_id, mail.outcome)
  const { body } = await dashboard.server.api.get(`/tickets/${mail.ticket_id}`)
  return { ...mail, id, number: body.short_id as string }
}

async function open(number: string, options = {}): Promise<Page> {
  const viewport = { width: 1280, height: 900 }
  const page = await dashboard.open(dashboard.olga, { viewport, reducedMotion: 'reduce', ...options })
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/all/${number}`)
  return page
}

const frameOf = (page: Page, name = 'Email from Ann Lee') => page.frameLocator(`iframe[title="${name}"]`)

/** Chooses an action from the menu of a message. A frame that grows would move the menu away from a mouse. */
async function choose(menus: Locator, action: string): Promise<void> {
  await menus.press('Enter')
  await pressItem(menus.page().getByRole('menuitem', { name: action }))
}

const menusOf = (page: Page) => page.locator('[data-message-menu]')

/** Waits until all frames, and what they contain, have loaded. */
const untilLoaded = (page: Page) => Promise.all(page.frames().map(frame => frame.waitForLoadState('load')))

/** For dozens of emails at once. */
const busySeconds = 120

/** Waits until this many emails have joined the ticket. */
const untilHandled = (ticketId: string, wanted: number) =>
  until(async () => {
    const { count: found } = await dashboard.server.db`
      select from incoming_mails where ticket_id = ${ticketId} and state = 'done'`
    return found === wanted
  }, busySeconds)

test('no hostile HTML runs a script or loads anything', chromium, async () => {
  const first = await send({
    from: 'Eve <eve@example.com>',
    subject: 'Hostile',
    html: '<p>The first one</p>',
  })
  const payloads = listHostileHtml(canary.url)
  assert.ok(payloads.length >= 25)
  for (const [at, payload] of payloads.entries()) {
    const html = `<p>Begin ${at}.</p>${payload}<p>End ${at}.</p>`
    const letter = { from: 'Eve <eve@example.com>', subject: 'Hostile', html, answers: first.id }
    await deliverByLmtp(receiving.port, support, write(letter).raw)
  }
  await untilHandled(first.ticket_id!, payloads.length + 1)
  const page = await open(first.number)
  const dialogs: string[] = []
  page.on('dialog', dialog => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  const textOf = async () => {
    const texts = await page
      .locator('iframe')
      .evaluateAll((frames: FrameElement[]) =>
        frames.map(frame => frame.contentDocument?.body?.textContent ?? ''),
      )
    return texts.join(' ')
  }
  await until(async () => {
    const shown = await textOf()
    return [...payloads.keys()].every(at => shown.includes(`Begin ${at}.`))
  }, busySeconds)
  await untilLoaded(page)
  assert.deepEqual(canary.requests, [])
  assert.deepEqual(dialogs, [])
  assert.equal(await page.evaluate('window.hacked'), undefined)
  const scripts = page
    .locator('iframe')
    .evaluateAll((frames: FrameElement[]) =>
      frames.map(frame => frame.contentDocument!.querySelectorAll('script, iframe, object, form').length),
    )
  assert.ok((await scripts).every(found => found === 0))
})

test('the frame of an email blocks what the sanitiser would miss', chromium, async () => {
  const { message_id, number } = await send({ subject: 'Missed', html: '<p>Hello</p>' })
  const html = `<p>Hello</p><img src="${canary.url}/missed.png"><script>top.hacked = 1</script><img src=x onerror="top.hacked = 2"><style>body { background: url(${canary.url}/missed) }</style>`
  await dashboard.server.db`update messages set content_html = ${html} where id = ${message_id}`
  const page = await open(number)
  await frameOf(page).getByText('Hello').waitFor()
  await untilLoaded(page)
  assert.deepEqual(
    canary.requests.filter(({ url }) => url?.includes('missed')),
    [],
  )
  assert.equal(await page.evaluate('window.hacked'), undefined)
})

test('shows inline images, and remote ones on request and through the server', chromium, async () => {
  const image = png(30, 20).toString('base64')
  const { number } = await send({
    html: `<p>See <img src="cid:lamp" alt="The lamp"> and <img src="${canary.url}/remote.png" alt="The logo"></p>`,
    subject: 'Pictures',
    image,
  })
  const page = await open(number)
  const direct: string[] = []
  page.on('request', request => request.url().startsWith(canary.url) && direct.push(request.url()))
  const widthOf = (name: string) =>
    frameOf(page)
      .getByAltText(name)
      .evaluate((shown: { naturalWidth?: number }) => shown.naturalWidth)
  await frameOf(page).getByAltText('The lamp').waitFor()
  await until(async () => (await widthOf('The lamp')) === 30)
  assert.equal(await widthOf('The logo'), 0)
  await page.getByText('Remote images are not loaded.').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.getByRole('button', { name: 'Load images', exact: true }).click()
  await frameOf(page).getByAltText('The logo').and(frameOf(page).locator('[src]')).waitFor()
  await until(async () => (await widthOf('The logo')) === 40)
  assert.deepEqual(direct, [])
  await page.reload()
  // The frame grows with its images, and moves the buttons above it.
  await until(async () => (await widthOf('The lamp')) === 30)
  const saved = page.waitForResponse(one => one.url().includes('/image-senders/'))
  await page.getByRole('button', { name: 'Always load from ann@example.com' }).click()
  await page.getByRole('button', { name: 'Stop loading images' }).waitFor()
  assert.ok((await saved).ok())
  await page.reload()
  await frameOf(page).getByAltText('The logo').and(frameOf(page).locator('[src]')).waitFor()
  await until(async () => (await widthOf('The logo')) === 40)
  await page.getByRole('button', { name: 'Stop loading images' }).click()
  await page.getByText('Remote images are not loaded.').waitFor()
})

test(
  'shows sender, recipients, a changed subject, the quote, the reason and the source',
  chromium,
  async () => {
    const first = await send({
      subject: 'Chair',
      html: '<p>The chair squeaks loudly when I sit down on it.</p>',
    })
    const answer = await send({
      subject: 'Another subject',
      html: '<p>Any news?</p><div class="gmail_quote"><blockquote class="gmail_quote">The chair squeaks loudly when I sit down on it.</blockquote></div>',
      answers: first.id,
      headers: ['Authentication-Results: mx.acme.example; dmarc=fail header.from=example.com'],
    })
    assert.equal(answer.ticket_id, first.ticket_id)
    const page = await open(first.number)
    const shown = page.getByRole('article').last()
    await shown.getByText('Ann Lee <ann@example.com>').waitFor()
    await shown.getByText('Another subject').waitFor()
    await shown.getByText('Sender not verified').waitFor()
    const quote = frameOf(page, 'Show quoted text').getByText('The chair squeaks')
    assert.equal(await quote.count(), 0)
    await shown.getByRole('button', { name: 'Show quoted text' }).press('Enter')
    await quote.waitFor()
    await choose(shown.getByRole('button', { name: 'More actions' }), 'Why is this email here?')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('It answers an email in this ticket.').waitFor()
    await dialog.getByText(first.id).waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.keyboard.press('Escape')
    await menusOf(page).first().click()
    await page.getByRole('menuitem', { name: 'View source' }).click()
    await dialog.getByRole('cell', { name: 'Chair', exact: true }).waitFor()
    await dialog.getByRole('tab', { name: 'Source' }).click()
    const source = dialog.getByRole('textbox', { name: 'Source' })
    await source.waitFor()
    assert.match(await source.inputValue(), /^Message-ID: <shown\.\d+@mail\.example>$/m)
  },
)

test(
  'moves an email to a ticket of its own, and a stranger’s email to the related ticket',
  chromium,
  async () => {
    const first = await send({ subject: 'Table', html: '<p>The table wobbles.</p>' })
    const stranger = await send({
      from: 'Carla <carla@example.com>',
      subject: 'Re: Table',
      html: '<p>Mine too.</p>',
      answers: first.id,
    })
    assert.notEqual(stranger.ticket_id, first.ticket_id)
    const page = await open(stranger.number)
    await choose(menusOf(page).last(), 'Why is this email here?')
    await page.getByRole('button', { name: `Add to #${first.number}` }).click()
    await page.waitForURL(new RegExp(`/${first.number}(\\?|$)`))
    // The address changes before the conversation does, and the other one also shows the email.
    await frameOf(page).getByText('The table wobbles.').waitFor()
    await frameOf(page, 'Email from Carla').getByText('Mine too.').waitFor()
    await choose(menusOf(page).last(), 'Why is this email here?')
    await page.getByRole('button', { name: 'Move to its own ticket' }).click()
    await page.waitForURL(url => !url.pathname.endsWith(`/${first.number}`))
    await frameOf(page, 'Email from Carla').getByText('Mine too.').waitFor()
  },
)

test('shows Hebrew from right to left', chromium, async () => {
  const { number } = await send({ subject: 'שלום', html: '<p>שלום, המנורה לא עובדת.</p>' })
  const page = await open(number)
  const text = frameOf(page).getByText('שלום')
  assert.equal(await text.evaluate(lookOf, 'direction'), 'rtl')
})

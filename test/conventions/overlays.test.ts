import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ofJourneys, overlays, sameAs } from '../overlays/overlays.ts'
import { readSources } from './sources.ts'

/** Every dialog, menu and popover is checked with axe: in test/every-overlay.ts, or in a journey. */

const base = 'web/dashboard/'
const opens = /<(?:Modal|Drawer|Popover|Menu|HoverCard|HoldingDialog|Picker|TimeDialog)(?![\w.])/

const openers = readSources(`${base}**/*.tsx`)
  .filter(({ text }) => opens.test(text))
  .map(({ path }) => path.slice(base.length))

test('every file that opens a dialog, a menu or a popover is listed in test/overlays', () => {
  assert.ok(openers.length > 60, `${openers.length} files`)
  const listed = [...overlays.map(({ file }) => file), ...Object.keys(ofJourneys), ...Object.keys(sameAs)]
  assert.deepEqual(
    openers.filter(file => !listed.includes(file)),
    [],
  )
  const files = readSources(`${base}**/*.tsx`).map(({ path }) => path.slice(base.length))
  assert.deepEqual(
    listed.filter(file => !files.includes(file)),
    [],
  )
})

test('every journey that test/overlays names checks a dialog with axe', () => {
  for (const journey of new Set(Object.values(ofJourneys))) {
    const [source] = readSources(`test/journeys/${journey}.test.ts`)
    assert.match(source?.text ?? '', /listAccessibilityViolations\(/, journey)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stylesheet } from './stylesheet.ts'
import { themeOf } from './theme.ts'

/** Contrast as defined by WCAG 2.2, implemented independently of the code that it checks. */
function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5]
    .map(at => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

type Colors = Record<string, string>

const read = (css: string): Colors =>
  Object.fromEntries(
    [...css.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value]),
  )

const [light, dark] = stylesheet.match(/:root \{[^}]*\}/g)!.map(read) as [Colors, Colors]

const steps = ['00', '33', '66', '99', 'cc', 'ff']
const colors = steps.flatMap(r => steps.flatMap(g => steps.map(b => `#${r}${g}${b}`)))

test('links and text on the header are readable for every project colour, in light and dark mode', () => {
  for (const color of colors) {
    const schemes = themeOf(color).css.split('@media').map(read) as [Colors, Colors]
    for (const [at, base] of [light, dark].entries()) {
      const { link, band, 'on-band': ink } = schemes[at]!
      for (const background of [base.page!, base.surface!]) {
        assert.ok(contrast(link!, background) >= 4.5, `${color}: link ${link} on ${background}`)
      }
      assert.ok(contrast(ink!, band!) >= 4.5, `${color}: ${ink} on ${band}`)
    }
  }
})

test('texts and borders have enough contrast, in light and dark mode', () => {
  for (const { page, surface, text, muted, edge, mark } of [light, dark]) {
    for (const background of [page!, surface!, mark!]) assert.ok(contrast(text!, background) >= 4.5)
    for (const background of [page!, surface!]) assert.ok(contrast(muted!, background) >= 4.5)
    assert.ok(contrast(edge!, page!) >= 3)
  }
})

test('a readable colour is not changed', () => {
  assert.match(themeOf('#2f5bea').css, /^:root\{--link:#2f5bea;--band:#2f5bea;--on-band:#ffffff\}/)
})

test('an invalid colour does not get into the stylesheet', () => {
  assert.equal(themeOf('red;}</style><script>').css, themeOf(null).css)
})

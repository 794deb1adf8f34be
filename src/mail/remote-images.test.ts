import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listRemoteImages, placeRemoteImages } from './remote-images.ts'
import { sanitizeMail } from './sanitize.ts'

const placed = (html: string) =>
  placeRemoteImages(
    sanitizeMail(html, () => null),
    index => `/images/${index}`,
  )

test('replaces the URLs of remote images and keeps their other attributes', () => {
  const html =
    '<p>x<img alt="A" src="https://a.example/1.png?b=1&amp;c=2" width="3"><img src="http://a.example/2.png"></p>'
  assert.deepEqual(listRemoteImages(sanitizeMail(html, () => null)), [
    'https://a.example/1.png?b=1&c=2',
    'http://a.example/2.png',
  ])
  assert.equal(placed(html), '<p>x<img alt="A" width="3" src="/images/0" /><img src="/images/1" /></p>')
})

test('an attribute whose value ends like the name of another one stays an attribute', () => {
  const html = '<img alt=" data-src=" title=" onerror=alert(1) x=" src="https://a.example/1.png">'
  const result = placed(html)
  assert.match(result, /alt=" data-src="/)
  assert.match(result, /title=" onerror=alert\(1\) x="/)
  assert.match(result, / src="\/images\/0"/)
})

import { pageText } from '../core/page-text.ts'

const browsers: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** "Firefox on Linux", as far as the user agent reveals it. */
export function browserOf(agent: string | null | undefined): string {
  const find = (list: [RegExp, string][]) => list.find(([sign]) => sign.test(agent ?? ''))?.[1]
  const browser = find(browsers)
  const system = find(systems)
  if (browser && system) return pageText.account.on(browser, system)
  return browser ?? system ?? pageText.account.unknownDevice
}

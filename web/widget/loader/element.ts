/** Creates elements without markup, because pages that require Trusted Types reject innerHTML. */

interface Ours extends HTMLElementTagNameMap {
  'deskbell-widget': HTMLElement
}

export function make<Name extends keyof Ours>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): Ours[Name] {
  const element = document.createElement(name) as Ours[Name]
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

const svg = 'http://www.w3.org/2000/svg'

/** An icon and its single path, whose `d` can change. */
export function makeSign(): { sign: SVGSVGElement; line: SVGPathElement } {
  const sign = document.createElementNS(svg, 'svg')
  const line = document.createElementNS(svg, 'path')
  const look = {
    viewBox: '0 0 24 24',
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': '1.8',
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    'aria-hidden': 'true',
  }
  for (const [key, value] of Object.entries(look)) sign.setAttribute(key, value)
  sign.append(line)
  return { sign, line }
}

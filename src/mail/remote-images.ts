/** The remote images in sanitised HTML. They are numbered in the order in which they appear. */

/** Reads whole attributes, because the value of another attribute may end with `data-src=`. */
const image = /(<img(?: [\w-]+(?:="[^"]*")?)* )data-src="([^"]*)"/g

const characters: Record<string, string> = { amp: '&', quot: '"', lt: '<', gt: '>' }

const decode = (text: string): string =>
  text.replaceAll(/&(amp|quot|lt|gt);/g, (_, name) => characters[name]!)

export const listRemoteImages = (html: string): string[] =>
  [...html.matchAll(image)].map(([, , url]) => decode(url!))

/** Loads each remote image from another URL. */
export function placeRemoteImages(html: string, urlOf: (index: number) => string): string {
  let index = 0
  return html.replaceAll(image, (_, before) => `${before}src="${urlOf(index++)}"`)
}

/* biome-ignore-all lint: a stub */
const later = async (..._: unknown[]): Promise<any> => {
  throw new Error('not yet')
}
export const listVisitorMessages = later
export const react = later
export const replyAsVisitor = later
export const unreact = later

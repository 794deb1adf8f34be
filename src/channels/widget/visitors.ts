/* biome-ignore-all lint: a stub */
const later = async (..._: unknown[]): Promise<any> => {
  throw new Error('not yet')
}
export const beginVisitor = later
export const endSession = later
export const showVisitor = later

/* biome-ignore-all lint: a stub */
const later = async (..._: unknown[]): Promise<any> => {
  throw new Error('not yet')
}
export const getWidget = later
export const changeWidget = later
export const makeSecret = later
